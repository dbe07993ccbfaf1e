import { must } from './must.ts'

/** The wire that machines and the desk hang on, and how they reach mirrors of packages. */
const BRIDGE = 'lgnewcomer'
/** This machine, on the wire. */
export const GATEWAY = '10.97.0.1'
const BLOCK = '10.97.0.0/24'
const TABLE = 'lodge_newcomer_test'

/** Why there can be no wire on this machine, or undefined. */
export async function streetMissing(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  return must('ip', 'netns', 'list').then(
    () => undefined,
    () => 'ip netns does not work here',
  )
}

export async function openStreet(): Promise<AsyncDisposable> {
  await must('ip', 'link', 'add', BRIDGE, 'type', 'bridge')
  await must('ip', 'address', 'add', `${GATEWAY}/24`, 'dev', BRIDGE)
  await must('ip', 'link', 'set', BRIDGE, 'up')
  await must('sysctl', '-qw', 'net.ipv4.ip_forward=1')
  const rule = `ip saddr ${BLOCK} ip daddr != ${BLOCK} masquerade`
  await must(
    'nft',
    `table ip ${TABLE} { chain out { type nat hook postrouting priority 100; ${rule}; }; }`,
  )
  // Docker engines close the way through this machine to all but their own.
  const open = [
    ['-i', BRIDGE],
    ['-o', BRIDGE],
  ].map((way) => ['FORWARD', ...way, '-j', 'ACCEPT'])
  for (const rule of open) await must('iptables', '-w', '-I', ...rule)
  return {
    async [Symbol.asyncDispose]() {
      for (const rule of open) await must('iptables', '-w', '-D', ...rule)
      await must('nft', `delete table ip ${TABLE}`)
      await must('ip', 'link', 'delete', BRIDGE)
    },
  }
}

/** A network of its own with one address on the wire. */
export interface Place {
  /** Words before a program that runs there. */
  readonly inside: readonly [string, ...string[]]
  remove(): Promise<void>
}

export async function placeAt(name: string, address: string): Promise<Place> {
  const space = `lgn-${name}`
  const wire = `lgn-${name}`.slice(0, 15)
  await must('ip', 'netns', 'add', space)
  await must('ip', 'link', 'add', wire, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
  await must('ip', 'link', 'set', wire, 'master', BRIDGE, 'up')
  const there = (...args: string[]) => must('ip', '-netns', space, ...args)
  await there('address', 'add', `${address}/24`, 'dev', 'eth0')
  await there('link', 'set', 'eth0', 'up')
  await there('link', 'set', 'lo', 'up')
  await there('route', 'add', 'default', 'via', GATEWAY)
  return {
    inside: ['nsenter', `--net=/run/netns/${space}`, '--'],
    async remove() {
      await must('ip', 'netns', 'delete', space)
      // The kernel takes the wire away with the namespace, a moment later.
      await must('ip', 'link', 'delete', wire).catch(() => undefined)
    },
  }
}
