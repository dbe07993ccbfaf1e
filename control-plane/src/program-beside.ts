/**
 * The file of a program that runs in its own thread or process. It lies next to the module that starts
 * it, as source or bundled (`tools/bundle.mjs` lists them).
 * @param module `import.meta.url` of the module
 */
export function programBeside(module: string, name: string): URL {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${extension}`, module)
}
