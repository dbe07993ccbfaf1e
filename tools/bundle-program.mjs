// One program of ours in one file.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build, stop } from 'esbuild'
import { at } from './place.mjs'

/** Optional parts of dependencies that nothing of ours uses. */
const absent = ['pg-native', 'cpu-features', '*.node']

/** What the Docker client loads at once and uses for engines behind SSH and for image builds only. */
const unused = {
  'agent/src/main.ts': /^(ssh2|@grpc\/proto-loader)$/,
}

/**
 * Bundles a program, below `dist` where its source is below the repository. `external` packages are
 * left to be found at run time, `alias` has other names for packages.
 */
export async function bundleProgram(dist, program, { external = [], alias = {} } = {}) {
  await build({
    entryPoints: [at(program)],
    outfile: path.join(dist, program.replace(/\.ts$/, '.js')),
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
    plugins: [keepPlaces(path.dirname(at(program))), plainHttp, ...leaveOut(unused[program])],
    logLevel: 'warning',
  })
  // Its helper process would stay for as long as we run.
  await stop()
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
