import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { must } from './must.ts'

/** The bridge that connects the machines and the desk, with a route to package mirrors. */
const BRIDGE = 'lgnewcomer'
/** This machine on the bridge. */
export const GATEWAY = '10.97.0.1'
const BLOCK = '10.97.0.0/24'
const TABLE = 'lodge_newcomer_test'
const SPACE = 'lgn-'
const FOLDER = 'lodge-newcomer-'
// Docker engines block forwarding through this machine for all but their own networks.
const OPEN = ['-i', '-o'].map((way) => ['FORWARD', way, BRIDGE, '-j', 'ACCEPT'])
/** Prefix for a program that ends when this process does, however that ends. */
export const WITH_US = ['setpriv', '--pdeathsig', 'KILL', '--'] as const

/** Why the network cannot be created on this machine, or undefined. */
export async function streetMissing(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  return must('ip', 'netns', 'list').then(
    () => undefined,
    () => 'ip netns does not work here',
  )
}

/** Creates the network, after removing what a killed run left behind. Throws when another run has it. */
export async function openStreet(): Promise<AsyncDisposable> {
  const owner = await ownerOf(BRIDGE)
  if (owner && (await isAlive(owner))) throw new Error(`process ${owner} walks the newcomer's day`)
  await clear()
  await must('ip', 'link', 'add', BRIDGE, 'type', 'bridge')
  await must('ip', 'link', 'set', BRIDGE, 'alias', await nameOf(process.pid))
  await must('ip', 'address', 'add', `${GATEWAY}/24`, 'dev', BRIDGE)
  await must('ip', 'link', 'set', BRIDGE, 'up')
  await must('sysctl', '-qw', 'net.ipv4.ip_forward=1')
  const rule = `ip saddr ${BLOCK} ip daddr != ${BLOCK} masquerade`
  await must(
    'nft',
    `table ip ${TABLE} { chain out { type nat hook postrouting priority 100; ${rule}; }; }`,
  )
  for (const rule of OPEN) await must('iptables', '-w', '-I', ...rule)
  return { [Symbol.asyncDispose]: clear }
}

/** Removes everything of it that exists. */
async function clear(): Promise<void> {
  const spaces = (await must('ip', 'netns', 'list')).match(new RegExp(`^${SPACE}\\S+`, 'gm')) ?? []
  for (const space of spaces) {
    for (const pid of (await must('ip', 'netns', 'pids', space)).split('\n').filter(Boolean))
      await must('kill', '-KILL', pid).catch(() => undefined)
    await must('ip', 'netns', 'delete', space)
  }
  for (const rule of OPEN) while (await works('iptables', '-w', '-D', ...rule));
  await works('nft', `delete table ip ${TABLE}`)
  await works('ip', 'link', 'delete', BRIDGE)
  for (const name of await readdir(os.tmpdir()))
    if (name.startsWith(FOLDER))
      await rm(path.join(os.tmpdir(), name), { recursive: true, force: true })
}

/** A folder that is deleted with the network. */
export const folderOf = (what: string): Promise<string> =>
  mkdtemp(path.join(os.tmpdir(), `${FOLDER}${what}-`))

const works = (file: string, ...args: string[]): Promise<boolean> =>
  must(file, ...args).then(
    () => true,
    () => false,
  )

/** Identifies a process by pid and start time, because pids are reused. */
async function nameOf(pid: number | string): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return `${pid}-${stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? ''}`
}

const ownerOf = async (bridge: string): Promise<string> =>
  (await readFile(`/sys/class/net/${bridge}/ifalias`, 'utf8').catch(() => '')).trim()

const isAlive = async (name: string): Promise<boolean> =>
  (await nameOf(name.split('-')[0] ?? '')) === name

/** A network namespace with one address on the bridge. */
export interface Place {
  /** Prefix for a program that runs there. */
  readonly inside: readonly [string, ...string[]]
  remove(): Promise<void>
}

export async function placeAt(name: string, address: string): Promise<Place> {
  const space = `${SPACE}${name}`
  const wire = space.slice(0, 15)
  await must('ip', 'netns', 'add', space)
  await must('ip', 'link', 'add', wire, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
  await must('ip', 'link', 'set', wire, 'master', BRIDGE, 'up')
  const there = (...args: string[]) => must('ip', '-netns', space, ...args)
  await there('address', 'add', `${address}/24`, 'dev', 'eth0')
  await there('link', 'set', 'eth0', 'up')
  await there('link', 'set', 'lo', 'up')
  await there('route', 'add', 'default', 'via', GATEWAY)
  return {
    inside: [...WITH_US, 'nsenter', `--net=/run/netns/${space}`, '--'],
    async remove() {
      await must('ip', 'netns', 'delete', space)
      // The kernel removes the interface with the namespace, a moment later.
      await must('ip', 'link', 'delete', wire).catch(() => undefined)
    },
  }
}
