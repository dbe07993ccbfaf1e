// Programs of the system that a task needs, installed by apt-get where that is possible.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { findProgram, say } from './place.mjs'

/** What shows that a Debian package is there: a program in PATH or a file. */
const packages = {
  'docker.io': 'dockerd',
  iptables: 'iptables',
  nftables: 'nft',
  mmdebstrap: 'mmdebstrap',
  'ca-certificates': '/etc/ssl/certs/ca-certificates.crt',
  zstd: 'zstd',
  e2fsprogs: 'mkfs.ext4',
  iproute2: 'ip',
  chromium: 'chromium',
  'busybox-static': 'busybox',
  oathtool: 'oathtool',
  prometheus: 'promtool',
  'libvirt-daemon-system': 'libvirtd',
  'libvirt-clients': 'virsh',
  'qemu-system-x86': 'qemu-system-x86_64',
  'qemu-utils': 'qemu-img',
  'dnsmasq-base': 'dnsmasq',
  swtpm: 'swtpm',
  'swtpm-tools': 'swtpm_setup',
  ovmf: '/usr/share/OVMF/OVMF_CODE_4M.fd',
  cpio: 'cpio',
  xorriso: 'xorriso',
  mtools: 'mcopy',
  xfsprogs: 'mkfs.xfs',
  'nginx-light': 'nginx',
  openssl: 'openssl',
  pebble: 'pebble',
}

const containers = [
  'iptables',
  'nftables',
  'mmdebstrap',
  'ca-certificates',
  'zstd',
  'e2fsprogs',
  'docker.io',
]

const virtualMachines = [
  'libvirt-daemon-system',
  'qemu-system-x86',
  'qemu-utils',
  'dnsmasq-base',
  'nftables',
  'swtpm',
  'swtpm-tools',
  'ovmf',
]

/** The program or file that shows that a package is installed. */
export const evidenceOf = (name) => packages[name]

/** What each task needs of the system. */
export const needs = {
  agent: containers,
  start: containers,
  test: [
    ...new Set([...containers, ...virtualMachines]),
    ...['iproute2', 'busybox-static', 'prometheus', 'chromium', 'oathtool'],
    // A guest is built from packages, and `virsh` bears witness.
    ...['libvirt-clients', 'cpio', 'xorriso', 'mtools', 'xfsprogs'],
    // A proxy before the panel, and an authority that gives certificates by ACME.
    ...['nginx-light', 'openssl', 'pebble'],
  ],
}

/**
 * Installs what is missing. Never throws and never asks: what cannot be had is told in one line
 * with the reason, and the task goes on without it.
 */
export async function ensurePackages(wanted) {
  const missing = missingOf(wanted)
  if (missing.length === 0) return
  const obstacle = whyNot()
  if (obstacle) return say(`Missing and not installed (${obstacle}): ${missing.join(', ')}`)
  say(`Installing Debian packages: ${missing.join(', ')} ...`)
  const fault = await install(missing)
  const left = missingOf(missing)
  if (left.length > 0) say(`Missing, apt-get could not install: ${left.join(', ')} (${fault})`)
}

/**
 * Installs what virtual machines need, while the panel runs already: it is much, and nobody who starts
 * Lodge for the first time should wait for it. `installed` is called when it is there.
 * LODGE_VM_PACKAGES=false leaves it out.
 */
export async function installVirtualMachines(installed) {
  const missing = missingOf(virtualMachines)
  if (missing.length === 0 || process.env.LODGE_VM_PACKAGES === 'false') return
  const obstacle = whyNot()
  if (obstacle) return say(`No virtual machines on this node (${obstacle}): ${missing.join(', ')}`)
  say(`Installing what virtual machines need in the background: ${missing.join(', ')}`)
  const fault = await install(missing)
  const left = missingOf(missing)
  if (left.length > 0) {
    return say(`No virtual machines on this node, could not install ${left.join(', ')} (${fault})`)
  }
  say('Virtual machines: installed')
  installed()
}

const missingOf = (wanted) => wanted.filter((name) => !isThere(evidenceOf(name)))

function isThere(evidence) {
  return evidence.startsWith('/') ? existsSync(evidence) : findProgram(evidence) !== undefined
}

function whyNot() {
  if (!findProgram('apt-get')) return 'no apt-get on this system'
  if (process.getuid() !== 0) return 'only root may run apt-get'
  return undefined
}

// A mirror that does not answer must not keep anybody waiting; LODGE_PACKAGES_SECONDS as on new nodes.
const downloadWithinMs = Number(process.env.LODGE_PACKAGES_SECONDS ?? 600) * 1000
const patience = [
  '-qq',
  ...['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=1'],
  ...['-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::https::Timeout=15'],
]
const adding = ['install', '-y', '--no-install-recommends']

/** Returns what apt-get said where something could not be had. */
async function install(names) {
  const notFetched = await fetchPackages(names)
  const faults = []
  // One by one: a package that cannot be had must not stop the rest.
  for (const name of names) faults.push(await aptGet([...adding, '--no-download', name]))
  return notFetched ?? faults.find((fault) => fault !== undefined)
}

async function fetchPackages(names) {
  if (hasLists() && (await download(names)) === undefined) return undefined
  // The lists were absent or old.
  const noLists = await aptGet(['update'], downloadWithinMs)
  const fault = await download(names)
  return fault && (noLists ?? fault)
}

const download = (names) => aptGet([...adding, '--download-only', ...names], downloadWithinMs)

/** Only downloads have a time limit: a package must not be left half installed. */
function aptGet(args, timeout) {
  const apt = spawn('apt-get', [...patience, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a session of its own: Ctrl-C must not leave a package half installed.
    detached: true,
    timeout,
  })
  let said = ''
  apt.stderr.setEncoding('utf8').on('data', (part) => {
    said += part
  })
  return new Promise((resolve) => {
    apt.on('error', (error) => resolve(error.message))
    apt.on('close', (code, signal) => {
      if (code === 0) resolve(undefined)
      else if (signal) resolve(`apt-get did not end within ${timeout / 1000} s`)
      else resolve(said.trim().split('\n').at(-1) || 'apt-get ended without a word')
    })
  })
}

/** A machine that was just made has no lists of packages yet. */
function hasLists() {
  try {
    return readdirSync('/var/lib/apt/lists').some((name) => name.endsWith('_Packages'))
  } catch {
    return false
  }
}
