import { DriverError } from '@lodge/driver/driver.ts'
import { type ProgramResult, runProgram } from '@lodge/driver/run-program.ts'
import type { Domains } from '../domain/domains.ts'
import type { Locks } from '../locks.ts'
import type { Settings } from '../options.ts'
import { type Guest, ruleset } from './rules.ts'

/** Forwards, isolation and the rules against false addresses, derived from the machines that there are. */
export interface Firewall {
  /** Puts the rules in place when they are not, or not all. Throws when they cannot be. */
  ensure(): Promise<void>
  /** As `ensure`, in words: why not, or null. */
  complaint(): Promise<string | null>
  /** Takes our rules away. */
  clear(): Promise<void>
}

interface Loaded {
  readonly rules: string
  /** What the kernel showed right after: anything else later is somebody's doing. */
  readonly shown: string
}

export function machineFirewall(settings: Settings, domains: Domains, locks: Locks): Firewall {
  const table =
    settings.scope === 'default' ? 'lodge' : `lodge_${settings.scope.replaceAll('-', '_')}`
  let loaded: Loaded | null = null

  const run = (file: string, args: readonly string[], input?: string): Promise<ProgramResult> => {
    const inside = settings.networkNamespace
    const options = input === undefined ? {} : { input }
    return inside === undefined
      ? runProgram(file, args, options)
      : runProgram('nsenter', [`--net=${inside}`, '--', file, ...args], options)
  }

  async function shown(): Promise<string> {
    const tables = ['bridge', 'ip'].map((family) => run('nft', ['list', 'table', family, table]))
    return (await Promise.all(tables)).map(({ output }) => output).join('\n')
  }

  async function load(rules: string): Promise<void> {
    const { code, output } = await run('nft', ['-f', '-'], rules)
    if (code !== 0)
      throw new DriverError(
        'start_failed',
        `The rules for networks could not be loaded: ${output.trim().slice(-300)}`,
        { retryable: true },
      )
    loaded = { rules, shown: await shown() }
  }

  async function ensureNow(): Promise<void> {
    const guests: Guest[] = (await domains.list()).map(({ record: { spec } }) => ({
      network: spec.network,
      natRules: spec.natRules,
    }))
    const rules = ruleset(table, guests)
    if (loaded?.rules !== rules || loaded.shown !== (await shown())) await load(rules)
    for (const bridge of bridgesOf(guests)) await openBridge(bridge)
  }

  /** What lies outside of our tables and stands in the way of forwarding. */
  async function openBridge(bridge: string): Promise<void> {
    // Connections of the node to its own forwarded ports come from 127.0.0.1.
    await run('sysctl', [
      '-qw',
      `net.ipv4.conf.${bridge}.route_localnet=1`,
      'net.ipv4.ip_forward=1',
    ])
    const docker = await run('iptables', ['-w', '-S', 'DOCKER-USER'])
    const forward = await run('iptables', ['-w', '-S', 'FORWARD'])
    const dropped = forward.code === 0 && forward.output.includes('-P FORWARD DROP')
    const chain = docker.code === 0 ? 'DOCKER-USER' : dropped ? 'FORWARD' : null
    if (chain === null) return
    // Our own table has judged these packets before.
    for (const rule of [
      ['-i', bridge, '-j', 'ACCEPT'],
      ['-o', bridge, '-j', 'ACCEPT'],
    ]) {
      if ((await run('iptables', ['-w', '-C', chain, ...rule])).code === 0) continue
      await run('iptables', ['-w', '-I', chain, ...rule])
    }
  }

  const ensure = () => locks.hold('the firewall', ensureNow)
  return {
    ensure,
    complaint: () =>
      ensure().then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
    clear: () =>
      locks.hold('the firewall', async () => {
        loaded = null
        for (const family of ['bridge', 'ip']) await run('nft', ['delete', 'table', family, table])
      }),
  }
}

const bridgesOf = (guests: readonly Guest[]) => [
  ...new Set(
    guests.flatMap(({ network: { mode, bridge } }) =>
      mode === 'nat' && bridge !== null ? [bridge] : [],
    ),
  ),
]
