// Bundles one program into a single file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, stop } from 'esbuild'
import { at } from './place.mjs'

/** Optional dependencies of packages that we do not use. */
const absent = ['pg-native', 'cpu-features', '*.node']

/** What dependencies load eagerly although we never use it. */
const unused = {
  // The Docker client's support for engines over SSH and for image builds.
  'agent/src/main.ts': /^(ssh2|@grpc\/proto-loader)$/,
  // Static file serving, which lists all files at startup.
  'control-plane/src/main.ts': /^glob$/,
  'control-plane/src/lodge.ts': /^glob$/,
}

/**
 * Bundles a program into `dist`, in the layout of the repository. `external` packages are resolved
 * at run time; `alias` renames packages.
 */
export async function bundleProgram(dist, program, { external = [], alias = {} } = {}) {
  const { outputFiles } = await build({
    entryPoints: [at(program)],
    outfile: path.join(dist, program.replace(/\.ts$/, '.js')),
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'linked',
    external: [...external, ...absent],
    alias,
    // CommonJS dependencies expect these three names.
    banner: {
      js: [
        "import { createRequire as lodgeRequire } from 'node:module'",
        'const require = lodgeRequire(import.meta.url)',
        'const __filename = import.meta.filename, __dirname = import.meta.dirname',
      ].join('\n'),
    },
    plugins: [
      keepPlaces(path.dirname(at(program))),
      plainHttp,
      englishOnly,
      ...leaveOut(unused[program]),
    ],
    logLevel: 'warning',
  })
  // Otherwise esbuild's helper process would live as long as this one.
  await stop()
  for (const file of outputFiles) {
    mkdirSync(path.dirname(file.path), { recursive: true })
    writeFileSync(file.path, file.path.endsWith('.js') ? escapeNonAscii(file.text) : file.contents)
  }
}

/**
 * Escapes every non-ASCII character, as esbuild does except in regular expressions: a single one
 * makes V8 store the whole program in two bytes per character.
 */
function escapeNonAscii(text) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replaceAll(/[^\0-\x7f]/g, escaped)
}

/** Keeps only English of the forty languages of zod's messages. */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js'`,
      loader: 'js',
    }))
  },
}

/**
 * An ES import of `node:http` evaluates all its exports, including WebSocket, which loads an HTTP
 * client that we do not use; via CommonJS only what is accessed is loaded.
 */
const plainHttp = {
  name: 'plain-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http$/ }, () => ({ path: 'http', namespace: 'plain-http' }))
    onLoad({ filter: /.*/, namespace: 'plain-http' }, () => ({
      contents: `module.exports = process.getBuiltinModule('node:http')`,
      loader: 'js',
    }))
  },
}

/** Makes `import.meta.dirname` of a bundled file still refer to its source's folder. */
function keepPlaces(mainFolder) {
  return {
    name: 'keep-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8')
        if (file.includes('/node_modules/') || !text.includes('import.meta.')) return undefined
        const place = JSON.stringify(path.relative(mainFolder, file))
        const contents = text
          .replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
          .replaceAll(
            'import.meta.dirname',
            `new URL('.', new URL(${place}, import.meta.url)).pathname`,
          )
        return { contents, loader: 'ts' }
      })
    },
  }
}

/** Replaces packages with these names by empty modules. */
function leaveOut(names) {
  if (!names) return []
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: names }, ({ path }) => ({ path, namespace: 'left-out' }))
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {}' }))
  }
  return [{ name: 'leave-out', setup }]
}
