// Programs of the system that a task needs, installed by apt-get where that is possible.
import { spawn, spawnSync } from 'node:child_process'
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

/** What each task needs of the system. */
export const needs = {
  agent: containers,
  start: containers,
  test: [
    ...new Set([...containers, ...virtualMachines]),
    ...['iproute2', 'busybox-static', 'prometheus', 'chromium', 'oathtool'],
    // A guest is built from packages, and `virsh` bears witness.
    ...['libvirt-clients', 'cpio', 'xorriso', 'mtools', 'xfsprogs'],
  ],
}

/**
 * Installs what is missing. Never throws and never asks: what cannot be had is told in one line
 * with the reason, and the task goes on without it.
 */
export function ensurePackages(wanted) {
  const missing = wanted.filter((name) => !isThere(packages[name]))
  if (missing.length === 0) return
  const obstacle = whyNot()
  if (obstacle) return say(`Missing and not installed (${obstacle}): ${missing.join(', ')}`)

  say(`Installing Debian packages: ${missing.join(', ')} ...`)
  if (!hasLists() || !install(missing).done) {
    // The lists are absent or old; and one package that cannot be had must not stop the rest.
    refreshLists()
    if (!install(missing).done) for (const name of missing) tellFailure(install([name]))
  }
  const left = missing.filter((name) => !isThere(packages[name]))
  if (left.length > 0) say(`Missing, apt-get could not install: ${left.join(', ')}`)
}

/**
 * Installs what virtual machines need, while the panel runs already: it is much, and nobody who starts
 * Lodge for the first time should wait for it. `installed` is called when it is there.
 * LODGE_VM_PACKAGES=false leaves it out.
 */
export function installVirtualMachines(installed) {
  const missing = virtualMachines.filter((name) => !isThere(packages[name]))
  if (missing.length === 0 || process.env.LODGE_VM_PACKAGES === 'false') return
  const obstacle = whyNot()
  if (obstacle) return say(`No virtual machines on this node (${obstacle}): ${missing.join(', ')}`)
  say(`Installing what virtual machines need in the background: ${missing.join(', ')}`)
  // In a session of its own: Ctrl-C must not leave a package half installed.
  const apt = spawn('apt-get', installArguments(missing), {
    env: aptEnvironment(),
    stdio: 'ignore',
    detached: true,
  })
  apt.on('exit', (code) => {
    if (code === 0) {
      say('Virtual machines: installed')
      installed()
    } else say(`No virtual machines on this node: apt-get ended with code ${code}`)
  })
  apt.unref()
}

function isThere(evidence) {
  return evidence.startsWith('/') ? existsSync(evidence) : findProgram(evidence) !== undefined
}

function whyNot() {
  if (!findProgram('apt-get')) return 'no apt-get on this system'
  if (process.getuid() !== 0) return 'only root may run apt-get'
  return undefined
}

const patience = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::http::Timeout=15']
const installArguments = (names) => [
  ...patience,
  'install',
  '-y',
  '--no-install-recommends',
  ...names,
]
const aptEnvironment = () => ({ ...process.env, DEBIAN_FRONTEND: 'noninteractive' })

const install = (names) => aptGet(installArguments(names))
const refreshLists = () => aptGet([...patience, 'update'])

function aptGet(args) {
  const run = spawnSync('apt-get', args, {
    env: aptEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  return { done: run.status === 0, fault: run.stderr?.trim().split('\n').at(-1) }
}

function tellFailure({ done, fault }) {
  if (!done) say(`apt-get: ${fault || 'it ended without a word'}`)
}

/** A machine that was just made has no lists of packages yet. */
function hasLists() {
  try {
    return readdirSync('/var/lib/apt/lists').some((name) => name.endsWith('_Packages'))
  } catch {
    return false
  }
}
