// Bundles the agent for machines without npm and sources, with the file lists for its download.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { bundleProgram } from './bundle-program.mjs'
import { at } from './place.mjs'

const main = 'agent/src/main'
/** Separate processes: native code may crash them, they have fewer rights, or outlive the agent. */
const children = [
  'drivers/libvirt/src/port/child',
  'agent/src/files/helper',
  'agent/src/guard/process',
]
/** Where koffi looks for its native addon, relative to the children that it is bundled into. */
const addons = ['drivers/libvirt/build/koffi', 'agent/build/koffi']
const architectures = ['x64', 'arm64']

/**
 * Writes programs, native addons and, last, one list per architecture into `folder`:
 * `agent/files-linux-<architecture>`, in the format of sha256sum.
 */
export async function bundleAgent(folder) {
  const list = (architecture) => path.join(folder, `agent/files-linux-${architecture}`)
  // A node that downloads meanwhile finds no list, rather than one that does not match the files.
  for (const architecture of architectures) rmSync(list(architecture), { force: true })
  await bundleProgram(folder, `${main}.ts`)
  // The plain `koffi` entry would look for packages that the bundle does not contain.
  for (const child of children)
    await bundleProgram(folder, `${child}.ts`, { alias: { koffi: 'koffi/indirect' } })
  for (const place of addons)
    copy('node_modules/koffi/LICENSE.txt', path.join(folder, place, 'LICENSE.txt'))
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  writeFileSync(path.join(folder, 'agent/version'), `${version}\n`)
  for (const architecture of architectures) {
    const addon = `linux_${architecture}/koffi.node`
    for (const place of addons) {
      copy(
        `node_modules/@koromix/koffi-linux-${architecture}/${addon}`,
        path.join(folder, place, addon),
      )
    }
    const files = [
      `${main}.js`,
      `${main}.js.LEGAL.txt`,
      ...children.map((child) => `${child}.js`),
      ...children.map((child) => `${child}.js.LEGAL.txt`),
      ...addons.flatMap((place) => [`${place}/LICENSE.txt`, `${place}/${addon}`]),
    ].filter((file) => existsSync(path.join(folder, file)))
    const lines = files.map((file) => `${sha256(path.join(folder, file))}  ${file}\n`)
    writeFileSync(`${list(architecture)}.new`, lines.join(''))
    renameSync(`${list(architecture)}.new`, list(architecture))
  }
}

/** npm installs native addons for its own architecture only; missing ones are skipped. */
function copy(from, to) {
  rmSync(to, { force: true })
  if (!existsSync(at(from))) return
  mkdirSync(path.dirname(to), { recursive: true })
  cpSync(at(from), to)
}

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')
