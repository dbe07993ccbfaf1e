// Completes package-lock.json. When the registry lacks an optional package for another platform,
// `npm install` leaves it out of the lock, and `npm ci` then rejects that lock as incomplete. This
// adds the missing entries as npm would; such a package is only ever downloaded on its own
// platform. Run it after every change of the dependencies; it prints how many it added.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'wasi',
  'win32',
]
// Processor names in package names, and npm's names for them.
const processors = {
  'arm-eabi': 'arm',
  'arm-gnueabihf': 'arm',
  'arm-musleabihf': 'arm',
  aarch64: 'arm64',
  arm: 'arm',
  arm64: 'arm64',
  armv7: 'arm',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
  x86_64: 'x64',
}

/**
 * Adds missing entries to a parsed lock and returns their names; throws when it cannot derive one.
 */
export function completeLock(lock) {
  const added = []
  for (const [folder, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(lock.packages, folder, name)) continue
      lock.packages[`node_modules/${name}`] = platformEntry(name, version, entry.dev)
      added.push(name)
    }
  }
  const byName = ([a], [b]) => a.localeCompare(b, 'en')
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName))
  return added
}

/** Node looks for a package in the folder itself and in every parent. */
function isLocked(packages, folder, name) {
  for (let at = folder; ; at = parentFolder(at)) {
    if (packages[at ? `${at}/node_modules/${name}` : `node_modules/${name}`]) return true
    if (at === '') return false
  }
}

function parentFolder(folder) {
  const nested = folder.lastIndexOf('/node_modules/')
  return nested < 0 ? '' : folder.slice(0, nested)
}

function platformEntry(name, version, dev) {
  if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`${name}@${version}: no exact version`)
  const words = (candidate) => new RegExp(`[-/]${candidate}(-|$)`).test(name)
  const system = systems.find(words)
  if (!system) throw new Error(`${name}@${version} is missing and names no platform`)
  const processor = Object.keys(processors).find(words)
  return {
    version,
    ...(processor ? { cpu: [processors[processor]] } : {}),
    ...(dev ? { dev: true } : {}),
    ...library(name, system),
    optional: true,
    os: [system === 'wasi' ? 'none' : system],
  }
}

function library(name, system) {
  if (/musl/.test(name)) return { libc: ['musl'] }
  return system === 'linux' && /-gnu/.test(name) ? { libc: ['glibc'] } : {}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL('../package-lock.json', import.meta.url)
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const added = completeLock(lock)
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${added.length} entries added`, ...added)
}
