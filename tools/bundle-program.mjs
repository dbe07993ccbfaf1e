// One program of ours in one file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, stop } from 'esbuild'
import { at } from './place.mjs'

/** Optional parts of dependencies that nothing of ours uses. */
const absent = ['pg-native', 'cpu-features', '*.node']

/** What dependencies load at once for what we never ask of them. */
const unused = {
  // The Docker client, for engines behind SSH and for image builds.
  'agent/src/main.ts': /^(ssh2|@grpc\/proto-loader)$/,
  // Static files, for a list of all of them at the start.
  'control-plane/src/main.ts': /^glob$/,
}

/**
 * Bundles a program, below `dist` where its source is below the repository. `external` packages are
 * left to be found at run time, `alias` has other names for packages.
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
    // CommonJS dependencies expect these three.
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
  // Its helper process would stay for as long as we run.
  await stop()
  for (const file of outputFiles) {
    mkdirSync(path.dirname(file.path), { recursive: true })
    writeFileSync(file.path, file.path.endsWith('.js') ? plainLetters(file.text) : file.contents)
  }
}

/**
 * Writes every letter beyond ASCII as an escape, as esbuild does but in regular expressions: a single
 * one makes the engine keep the whole program in twice the memory.
 */
function plainLetters(text) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replaceAll(/[^\0-\x7f]/g, escaped)
}

/** Of the forty languages of zod's messages, the one that we speak. */
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
 * An import of Node's http asks for everything it exports, its WebSocket included, and with that loads an
 * HTTP client of which nothing is used; what CommonJS is given loads only what is asked for.
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

/** `import.meta.dirname` of a bundled file still means the folder its source was in. */
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

/** Packages of these names are empty in the bundle. */
function leaveOut(names) {
  if (!names) return []
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: names }, ({ path }) => ({ path, namespace: 'left-out' }))
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {}' }))
  }
  return [{ name: 'leave-out', setup }]
}
