// Programs of the system that a task needs, installed by apt-get where that is possible.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
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
  prometheus: 'promtool',
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

/** What each task needs of the system. */
export const needs = {
  agent: containers,
  start: containers,
  test: [...containers, 'iproute2', 'busybox-static', 'prometheus', 'chromium'],
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
  if (!install(missing)) {
    // The lists may be old or absent; and one package that cannot be had must not stop the rest.
    aptGet('update', [])
    if (!install(missing)) for (const name of missing) install([name])
  }
  const left = missing.filter((name) => !isThere(packages[name]))
  if (left.length > 0) say(`Missing, apt-get could not install: ${left.join(', ')}`)
}

function isThere(evidence) {
  return evidence.startsWith('/') ? existsSync(evidence) : findProgram(evidence) !== undefined
}

function whyNot() {
  if (!findProgram('apt-get')) return 'no apt-get on this system'
  if (process.getuid() !== 0) return 'only root may run apt-get'
  return undefined
}

const install = (names) => aptGet('install', ['-y', '--no-install-recommends', ...names])

function aptGet(verb, args) {
  const patience = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::http::Timeout=15']
  const run = spawnSync('apt-get', ['-qq', ...patience, verb, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (run.status === 0) return true
  say(`apt-get ${verb}: ${lastLine(run.stderr)}`)
  return false
}

const lastLine = (text) => text?.trim().split('\n').at(-1) || 'it ended without a word'
