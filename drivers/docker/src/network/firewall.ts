import { createHash } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import { FORWARDED_MARK, workloadChains } from '@lodge/driver/network/closed.ts'
import { hostResolvers } from '@lodge/driver/network/resolvers.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { NetworkOpening } from '@lodge/shared/network-opening.ts'
import type { Settings } from '../engine/options.ts'

/**
 * Isolates servers from the node, from each other and from every network that is not public. The
 * rules are an nftables table of our own that runs before the engine's, so changes to the engine's
 * rules by itself or a firewall service do not affect it; it matches only our own bridges.
 */
export interface Firewall {
  /** Loads the rules when they are missing or differ. Throws when that fails. */
  ensure(): Promise<void>
  /** Like `ensure`, but returns the error message, or null. */
  complaint(): Promise<string | null>
  /** Adds a bridge that is about to be created; its rules are loaded when this resolves. */
  cover(bridge: string): Promise<void>
  /** Forgets a bridge that was removed or not created. */
  uncover(bridge: string): void
  /** Updates the rules after published ports have changed. */
  publish(): Promise<void>
  /** Replaces the list of networks that are open. */
  open(openings: readonly NetworkOpening[]): Promise<void>
  close(): void
}

/** What the engine currently has in this scope. */
export interface EngineFacts {
  readonly bridges: readonly string[]
  /** Ports of the node that are forwarded to servers, as `tcp . 25565`. */
  readonly published: readonly string[]
}

/** Interval at which deleted or changed rules are restored. */
const WATCH_MS = 15_000

/** The table name of one installation: others on the same machine have another data folder. */
export const firewallTable = (dataRoot: string): string =>
  `lodge_c_${createHash('sha256').update(dataRoot).digest('hex').slice(0, 8)}`

export function hostFirewall(settings: Settings, factsNow: () => Promise<EngineFacts>): Firewall {
  const table = firewallTable(settings.dataRoot)
  /** Bridges that the engine may not list yet. */
  const coming = new Set<string>()
  let openings: readonly NetworkOpening[] = []
  let facts: EngineFacts | null = null
  let loaded: { readonly rules: string; readonly shown: string } | null = null
  let watch: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** Serializes updates, because each depends on what the one before has loaded. */
  function serialized<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }

  const shown = async () => (await runProgram('nft', ['list', 'table', 'inet', table])).output

  async function look(): Promise<EngineFacts> {
    facts = await factsNow()
    for (const bridge of facts.bridges) coming.delete(bridge)
    return facts
  }

  async function place(): Promise<void> {
    // Do not load rules before the engine has answered: those of an earlier process may name
    // bridges that this one does not know yet.
    const { bridges, published } = facts ?? (await look())
    const rules = tableRules(table, {
      bridges: [...new Set([...bridges, ...coming])].sort(),
      published: [...new Set(published)].sort(),
      openings,
      resolvers: await hostResolvers(settings.resolverFiles),
      workloads: [settings.subnetPool],
    })
    if (loaded?.rules !== rules || loaded.shown !== (await shown())) {
      const { code, output } = await runProgram('nft', ['-f', '-'], { input: rules })
      if (code !== 0) throw notPlaced(code === null ? 'install nftables' : output)
      loaded = { rules, shown: await shown() }
      // Earlier versions had one table for all installations with this prefix.
      await runProgram('nft', ['delete', 'table', 'inet', `lodge_${settings.networkPrefix}`])
    }
    await acceptForwarded()
  }

  /**
   * Docker isolates its networks from each other even for traffic through a published port; lets
   * that traffic pass, as it does for any outside client.
   */
  async function acceptForwarded(): Promise<void> {
    const rule = ['DOCKER-USER', '-m', 'mark', '--mark', FORWARDED_MARK, '-j', 'ACCEPT']
    const iptables = (action: string) => runProgram('iptables', ['-w', action, ...rule])
    if ((await iptables('-C')).code !== 0) await iptables('-I')
  }

  async function ensure(): Promise<void> {
    watch ??= setInterval(() => void renew().catch(() => {}), WATCH_MS).unref()
    await serialized(place)
  }

  const renew = () =>
    serialized(async () => {
      await look()
      await place()
    })

  async function complaint(): Promise<string | null> {
    return await ensure().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
  }

  return {
    ensure,
    complaint,
    async cover(bridge) {
      coming.add(bridge)
      await ensure()
    },
    uncover(bridge) {
      coming.delete(bridge)
      if (facts === null) return
      facts = { ...facts, bridges: facts.bridges.filter((known) => known !== bridge) }
    },
    publish: renew,
    async open(next) {
      openings = next
      await ensure()
    },
    close: () => clearInterval(watch),
  }
}

function notPlaced(why: string): DriverError {
  return new DriverError(
    'start_failed',
    `Nothing is started, because the rules that keep servers from this node and its networks could not be loaded: ${why.trim().slice(-200)}`,
    { retryable: true },
  )
}

interface TableFacts extends EngineFacts {
  readonly openings: readonly NetworkOpening[]
  readonly resolvers: readonly string[]
  readonly workloads: readonly string[]
}

function tableRules(table: string, given: TableFacts): string {
  const elements = (all: readonly string[]) =>
    all.length > 0 ? ` elements = { ${all.join(', ')} };` : ''
  return [
    // A single transaction, so that there is no moment without rules.
    `table inet ${table} {}`,
    `delete table inet ${table}`,
    `table inet ${table} {`,
    `  set bridges { type ifname;${elements(given.bridges.map((name) => `"${name}"`))} }`,
    `  set published { type inet_proto . inet_service;${elements(given.published)} }`,
    ...workloadChains({ ...given, family: 'inet' }),
    '  chain input {',
    '    type filter hook input priority -10; policy accept;',
    // Servers may reach each other through a public address of the node, as clients outside can.
    '    iifname @bridges ip daddr != @closed4 meta l4proto . th dport @published accept',
    '    iifname @bridges jump node',
    '  }',
    '  chain forward {',
    '    type filter hook forward priority -10; policy accept;',
    `    iifname @bridges oifname @bridges ct status dnat meta mark set ${FORWARDED_MARK}`,
    '    iifname @bridges jump beyond',
    '  }',
    '}',
    '',
  ].join('\n')
}
