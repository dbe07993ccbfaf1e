// System programs that a task needs, installed with apt-get where possible.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { findProgram, say } from './place.mjs'

/** What shows that a Debian package is installed: a program in PATH or a file. */
const packages = {
  'docker.io': 'dockerd',
  iptables: 'iptables',
  nftables: 'nft',
  mmdebstrap: 'mmdebstrap',
  'ca-certificates': '/etc/ssl/certs/ca-certificates.crt',
  zstd: 'zstd',
  e2fsprogs: 'mkfs.ext4',
  bubblewrap: 'bwrap',
  'libarchive-tools': 'bsdtar',
  '7zip': '7zz',
  iproute2: 'ip',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
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
  haproxy: '/usr/sbin/haproxy',
  openssl: 'openssl',
  restic: 'restic',
  pebble: 'pebble',
  'python3-swift': '/usr/lib/python3/dist-packages/swift/__init__.py',
  sshfs: 'sshfs',
  rsync: 'rsync',
  rclone: 'rclone',
  'putty-tools': 'psftp',
}

const containers = [
  'iptables',
  'nftables',
  'mmdebstrap',
  'ca-certificates',
  'zstd',
  'e2fsprogs',
  'docker.io',
  'restic',
  'bubblewrap',
  'libarchive-tools',
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

/** The packages that each task needs. */
export const needs = {
  agent: containers,
  start: containers,
  backup: ['ca-certificates', 'restic'],
  test: [
    ...new Set([...containers, ...virtualMachines]),
    ...['iproute2', 'busybox-static', 'prometheus', 'oathtool'],
    // The second is the same engine with less work; pictures and a newcomer need the first.
    ...['chromium', 'chromium-headless-shell'],
    // Guests are built from packages; `virsh` is an independent check on libvirt.
    ...['libvirt-clients', 'cpio', 'xorriso', 'mtools', 'xfsprogs'],
    // Reverse proxies for one panel and for several, an ACME authority, an S3 service, and archives as people send them.
    ...['nginx-light', 'haproxy', 'openssl', 'pebble', 'python3-swift', '7zip'],
    // What people reach their files with.
    ...['sshfs', 'rsync', 'rclone', 'putty-tools'],
  ],
}

/**
 * Installs missing packages. Never throws and never prompts: a package that cannot be installed is
 * reported in one line with the reason, and the task continues without it.
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
 * Installs what virtual machines need while the panel is already running: the download is large,
 * and nobody who starts Lodge for the first time should wait for it. Calls `installed` when done.
 * LODGE_VM_PACKAGES=false skips it.
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

/** True where everything that virtual machines need is installed. */
export const hasVirtualMachines = () => missingOf(virtualMachines).length === 0

const missingOf = (wanted) => wanted.filter((name) => !isThere(evidenceOf(name)))

function isThere(evidence) {
  return evidence.startsWith('/') ? existsSync(evidence) : findProgram(evidence) !== undefined
}

function whyNot() {
  if (!findProgram('apt-get')) return 'no apt-get on this system'
  if (process.getuid() !== 0) return 'only root may run apt-get'
  return undefined
}

// An unresponsive mirror must not block the start; LODGE_PACKAGES_SECONDS as on new nodes.
const downloadWithinMs = Number(process.env.LODGE_PACKAGES_SECONDS ?? 600) * 1000
const patience = [
  '-qq',
  ...['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=1'],
  ...['-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::https::Timeout=15'],
]
const adding = ['install', '-y', '--no-install-recommends']

/** Returns the error of apt-get if something could not be installed. */
async function install(names) {
  const notFetched = await fetchPackages(names)
  const faults = []
  // One by one, so that one unavailable package does not block the rest.
  for (const name of names) faults.push(await aptGet([...adding, '--no-download', name]))
  return notFetched ?? faults.find((fault) => fault !== undefined)
}

async function fetchPackages(names) {
  if (hasLists() && (await download(names)) === undefined) return undefined
  // The package lists are missing or outdated.
  const noLists = await aptGet(['update'], downloadWithinMs)
  const fault = await download(names)
  return fault && (noLists ?? fault)
}

const download = (names) => aptGet([...adding, '--download-only', ...names], downloadWithinMs)

/**
 * Only downloads have a time limit: an aborted installation would leave a package half installed.
 */
function aptGet(args, timeout) {
  const apt = spawn('apt-get', [...patience, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a session of its own, so that Ctrl-C does not leave a package half installed.
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
      else if (signal) resolve(`apt-get did not finish within ${timeout / 1000} s`)
      else resolve(said.trim().split('\n').at(-1) || 'apt-get failed without a message')
    })
  })
}

/** A freshly created machine has no package lists yet. */
function hasLists() {
  try {
    return readdirSync('/var/lib/apt/lists').some((name) => name.endsWith('_Packages'))
  } catch {
    return false
  }
}
