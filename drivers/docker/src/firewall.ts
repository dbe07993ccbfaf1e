import { createHash } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import { FORWARDED_MARK, workloadChains } from '@lodge/driver/network/closed.ts'
import { hostResolvers } from '@lodge/driver/network/resolvers.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { NetworkOpening } from '@lodge/shared/network-opening.ts'
import type { Settings } from './options.ts'

/**
 * Keeps servers away from the machine that carries them, from each other and from every network that is
 * not public. The rules are a table of our own that is asked before the engine's, so that whatever the
 * engine or a firewall service does with its rules changes nothing; it names only our own bridges.
 */
export interface Firewall {
  /** Puts the rules in place when they are not, or not as they should be. Throws when they cannot be. */
  ensure(): Promise<void>
  /** As `ensure`, in words: why not, or null. */
  complaint(): Promise<string | null>
  /** Rules for a bridge that is about to be made; in place when this resolves. */
  cover(bridge: string): Promise<void>
  /** The bridge is gone, or was never ours. */
  uncover(bridge: string): void
  /** Which ports are led to servers has changed. */
  publish(): Promise<void>
  /** Opens these networks from now on, and no others. */
  open(openings: readonly NetworkOpening[]): Promise<void>
  close(): void
}

/** What the engine has of ours at this moment. */
export interface EngineFacts {
  readonly bridges: readonly string[]
  /** Ports of the node that are led to servers, as `tcp . 25565`. */
  readonly published: readonly string[]
}

/** What others took away is put back within this time. */
const WATCH_MS = 15_000

/** The table of one installation: another one on the same machine has another folder. */
export const firewallTable = (dataRoot: string): string =>
  `lodge_c_${createHash('sha256').update(dataRoot).digest('hex').slice(0, 8)}`

export function hostFirewall(settings: Settings, factsNow: () => Promise<EngineFacts>): Firewall {
  const table = firewallTable(settings.dataRoot)
  /** Bridges that the engine may not have told us of yet. */
  const coming = new Set<string>()
  let openings: readonly NetworkOpening[] = []
  let facts: EngineFacts | null = null
  let loaded: { readonly rules: string; readonly shown: string } | null = null
  let watch: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** One at a time: each sees what the one before it has changed. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
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
    // Before the engine has answered, rules of an earlier process stay: they name bridges that we know not.
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
      // Of versions that had one table for all installations with this prefix.
      await runProgram('nft', ['delete', 'table', 'inet', `lodge_${settings.networkPrefix}`])
    }
    await letForwardedPass()
  }

  /** The engine keeps its networks apart also where somebody comes by a public port, as strangers do. */
  async function letForwardedPass(): Promise<void> {
    const rule = ['DOCKER-USER', '-m', 'mark', '--mark', FORWARDED_MARK, '-j', 'ACCEPT']
    const iptables = (action: string) => runProgram('iptables', ['-w', action, ...rule])
    if ((await iptables('-C')).code !== 0) await iptables('-I')
  }

  async function ensure(): Promise<void> {
    watch ??= setInterval(() => void renew().catch(() => {}), WATCH_MS).unref()
    await inTurn(place)
  }

  const renew = () =>
    inTurn(async () => {
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
    // One transaction: rules of an earlier configuration go as the new ones come.
    `table inet ${table} {}`,
    `delete table inet ${table}`,
    `table inet ${table} {`,
    `  set bridges { type ifname;${elements(given.bridges.map((name) => `"${name}"`))} }`,
    `  set published { type inet_proto . inet_service;${elements(given.published)} }`,
    ...workloadChains({ ...given, family: 'inet' }),
    '  chain input {',
    '    type filter hook input priority -10; policy accept;',
    // By a public address of the node a server is there for other servers as for any stranger.
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
