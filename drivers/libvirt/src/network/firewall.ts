import { createHash } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import { FORWARDED_MARK } from '@lodge/driver/network/closed.ts'
import { type ProgramResult, runProgram } from '@lodge/driver/run-program.ts'
import type { NetworkOpening } from '@lodge/shared/network-opening.ts'
import type { Domains } from '../domain/domains.ts'
import type { Locks } from '../host/locks.ts'
import type { Settings } from '../options.ts'
import type { LibvirtPort } from '../port/port.ts'
import { type Guest, ruleset } from './rules.ts'

/** Port forwards, isolation and anti-spoofing rules, derived from the existing machines. */
export interface Firewall {
  /** Loads the rules when they are missing or differ. Throws when that fails. */
  ensure(): Promise<void>
  /**
   * Like `ensure`, but returns the error message, or null. Called every few seconds, so machines
   * are listed only after libvirt has reported a change.
   */
  complaint(): Promise<string | null>
  /** Like `complaint`, but skips the check if one was made recently and nothing has changed. */
  recentComplaint(): Promise<string | null>
  /** Replaces the list of networks that guests may reach besides the public internet. */
  open(openings: readonly NetworkOpening[]): Promise<void>
  /** Removes our rules. */
  clear(): Promise<void>
}

interface Loaded {
  readonly rules: string
  /** The kernel's listing right after loading: later differences were made by something else. */
  readonly shown: string
}

/** Maximum age of a result that is reused; the periodic check is more frequent. */
const RECENT_MS = 15_000
/** Values of `virDomainEventType` that come with a changed set of definitions. */
const DEFINED = 0
const UNDEFINED = 1

/** The table name of one installation: others on the same machine have another data folder. */
export const firewallTable = (dataRoot: string): string =>
  `lodge_m_${createHash('sha256').update(dataRoot).digest('hex').slice(0, 8)}`

export function machineFirewall(
  settings: Settings,
  domains: Domains,
  locks: Locks,
  port: Pick<LibvirtPort, 'listen' | 'isListening'>,
): Firewall {
  const table = firewallTable(settings.dataRoot)
  let openings: readonly NetworkOpening[] = []
  let loaded: Loaded | null = null
  /** The guests at the last listing; null when that may be outdated. */
  let known: readonly Guest[] | null = null
  let changes = 0
  let latest: { readonly why: string | null; readonly atMs: number } | null = null
  port.listen((event) => {
    if (event.kind === 'lifecycle' && event.event !== DEFINED && event.event !== UNDEFINED) return
    if (!['lifecycle', 'listening', 'deaf'].includes(event.kind)) return
    known = null
    changes += 1
  })

  const run = (file: string, args: readonly string[], input?: string): Promise<ProgramResult> => {
    const inside = settings.networkNamespace
    const options = input === undefined ? {} : { input }
    return inside === undefined
      ? runProgram(file, args, options)
      : runProgram('nsenter', [`--net=${inside}`, '--', file, ...args], options)
  }

  async function shown(): Promise<string> {
    // Separate calls: a single nft would look for the second table in the cache it built for the
    // first.
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
    await dropEarlier()
  }

  /** Earlier versions had one table name for all installations with this scope. */
  async function dropEarlier(): Promise<void> {
    const { scope } = settings
    const name = scope === 'default' ? 'lodge' : `lodge_${scope.replaceAll('-', '_')}`
    for (const family of ['bridge', 'ip']) await run('nft', ['delete', 'table', family, name])
  }

  async function guestsNow(): Promise<readonly Guest[]> {
    const before = changes
    const guests: Guest[] = (await domains.list()).map(({ record: { spec } }) => ({
      network: spec.network,
      natRules: spec.natRules,
    }))
    // Without events, nothing would report that this list is outdated.
    known = changes === before && port.isListening() ? guests : null
    return guests
  }

  async function ensureFor(guests: readonly Guest[]): Promise<void> {
    const rules = ruleset(table, guests, openings)
    if (loaded?.rules !== rules || loaded.shown !== (await shown())) await load(rules)
    const bridges = bridgesOf(guests)
    const hosted = guests.some(({ network: { mode } }) => mode === 'configured')
    if (bridges.length === 0 && !hosted) return
    const { code, output } = await iptables('-S')
    const lines = code === 0 ? output.split('\n').map((line) => line.trim()) : []
    if (bridges.length > 0) await openBridges(bridges, lines)
    if (hosted) await openHosted(lines)
  }

  const iptables = (...args: string[]) => run('iptables', ['-w', ...args])

  /** Opens what would block forwarding outside our tables. */
  async function openBridges(bridges: readonly string[], lines: readonly string[]): Promise<void> {
    // Connections of the node to its own forwarded ports come from 127.0.0.1.
    const routes = bridges.map((bridge) => `net.ipv4.conf.${bridge}.route_localnet=1`)
    await run('sysctl', ['-qw', ...routes, 'net.ipv4.ip_forward=1'])
    const dropped = lines.includes('-P FORWARD DROP')
    const chain = lines.includes('-N DOCKER-USER') ? 'DOCKER-USER' : dropped ? 'FORWARD' : null
    if (chain === null) return
    // Our own table has already filtered these packets.
    for (const bridge of bridges) {
      for (const rule of [
        ['-i', bridge, '-j', 'ACCEPT'],
        ['-o', bridge, '-j', 'ACCEPT'],
      ]) {
        if (lines.includes(['-A', chain, ...rule].join(' '))) continue
        await iptables('-I', chain, ...rule)
      }
    }
  }

  /**
   * libvirt rejects incoming connections to its networks, so forwarded packets must be accepted
   * before its rules.
   */
  async function openHosted(lines: readonly string[]): Promise<void> {
    await run('sysctl', ['-qw', 'net.ipv4.ip_forward=1'])
    const rule = ['FORWARD', '-m', 'mark', '--mark', FORWARDED_MARK, '-j', 'ACCEPT']
    const [first] = lines.filter((line) => line.startsWith('-A FORWARD '))
    if (first === ['-A', ...rule].join(' ')) return
    if (lines.includes(['-A', ...rule].join(' '))) await iptables('-D', ...rule)
    await iptables('-I', ...rule)
  }

  const ensureWith = (guests: () => Promise<readonly Guest[]>) =>
    locks.hold('the firewall', async () => ensureFor(await guests()))
  async function complaint(): Promise<string | null> {
    const why = await ensureWith(async () => known ?? (await guestsNow())).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    latest = { why, atMs: performance.now() }
    return why
  }

  return {
    ensure: () => ensureWith(guestsNow),
    complaint,
    async recentComplaint() {
      const isRecent = latest !== null && performance.now() - latest.atMs < RECENT_MS
      return isRecent && known ? (latest?.why ?? null) : await complaint()
    },
    async open(next) {
      openings = next
      await ensureWith(async () => known ?? (await guestsNow()))
    },
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
