import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import type { Network } from 'dockerode'
import { type Engine, EngineError, retryRuleConflicts } from '../engine/client.ts'
import { earlierNetworkName, LABEL, networkName } from '../engine/names.ts'
import type { Settings } from '../engine/options.ts'
import type { EngineFacts, Firewall } from './firewall.ts'

/** A separate bridge network per server, so that tenants share no layer 2. */
export interface Networks {
  /** Creates the server's network if it does not exist; costs nothing once it is known. */
  ensure(serverId: string, number: number, signal?: AbortSignal): Promise<string>
  /** Drops the cached knowledge that this network exists. */
  forget(serverId: string): void
  remove(serverId: string, number: number | null): Promise<void>
  /**
   * Creates the network of one of these free numbers if it is missing, and removes those of other
   * free numbers. Returns whether it created one.
   */
  addWarm(free: readonly number[], isTaken: (number: number) => boolean): Promise<boolean>
}

const ADDRESSES_PER_NETWORK = 16
const OTHER_TRIES = 32
const BRIDGE_NAME = 'com.docker.network.bridge.name'

/** How many servers the address pool can hold. */
export function networksInPool(pool: string): number {
  return 2 ** (32 - parsePool(pool).bits) / ADDRESSES_PER_NETWORK - 1
}

/** Bridges and published ports of everything in our scope. */
export async function engineFacts(
  engine: Engine,
  { labelScope }: Pick<Settings, 'labelScope'>,
): Promise<EngineFacts> {
  const filters = { label: [`${LABEL.scope}=${labelScope}`] }
  const [networks, containers] = await Promise.all([
    engine.call(() => engine.docker.listNetworks({ filters })),
    engine.call((abortSignal) => engine.docker.listContainers({ filters, abortSignal })),
  ])
  return {
    bridges: networks.flatMap(({ Options }) => Options?.[BRIDGE_NAME] ?? []),
    published: containers
      .flatMap(({ Ports }) => Ports)
      .flatMap(({ PublicPort, Type }) => (PublicPort ? [`${Type} . ${PublicPort}`] : [])),
  }
}

export function serverNetworks(
  engine: Engine,
  settings: Settings,
  firewall: Pick<Firewall, 'cover' | 'uncover'>,
): Networks {
  const known = new Set<string>()
  const warm = new Set<number>()
  const leaving = new Map<number, Promise<unknown>>()
  const total = networksInPool(settings.subnetPool)

  // Agents on one machine may share a pool; each starts at a different position to avoid
  // collisions.
  const place = createHash('sha256').update(settings.dataRoot).digest().readUInt32BE(0)

  async function create(number: number, signal?: AbortSignal): Promise<void> {
    const inUse = await usedOnHost()
    for (let attempt = 0; attempt <= OTHER_TRIES; attempt += 1) {
      // Skips a block that something else uses; the next candidate is far away from it.
      const index = 1 + ((place + number + attempt * 331) % total)
      const bridge = `${settings.networkPrefix}${index.toString(36)}`
      const block = subnet(settings.subnetPool, index)
      if (inUse.interfaces.has(bridge) || inUse.blocks.has(block.split('/')[0] ?? '')) continue
      await firewall.cover(bridge)
      try {
        await createNetwork(number, bridge, block, signal)
        return
      } catch (error) {
        firewall.uncover(bridge)
        if (!(error instanceof EngineError)) throw error
        if (error.status === 409) return
        if (!/overlap/i.test(error.message)) throw error
      }
    }
    // The block in use may be this very network, created before a restart of the agent.
    if (await isThere(number, signal)) return
    throw new DriverError('start_failed', 'This machine has no network left for another server.')
  }

  async function isThere(number: number, signal?: AbortSignal): Promise<boolean> {
    const network = engine.docker.getNetwork(networkName(settings.labelScope, number))
    return (await engine.find(() => network.inspect(), { signal })) !== null
  }

  function createNetwork(number: number, bridge: string, block: string, signal?: AbortSignal) {
    return engine.call(
      (abortSignal) =>
        engine.docker.createNetwork({
          Name: networkName(settings.labelScope, number),
          CheckDuplicate: true,
          Driver: 'bridge',
          EnableIPv6: false,
          IPAM: { Driver: 'default', Config: [{ Subnet: block }] },
          Options: {
            [BRIDGE_NAME]: bridge,
            'com.docker.network.bridge.enable_icc': 'false',
            'com.docker.network.bridge.enable_ip_masquerade': 'true',
          },
          Labels: { [LABEL.number]: String(number), [LABEL.scope]: settings.labelScope },
          abortSignal,
        }),
      { signal, deadlineMs: 30_000 },
    )
  }

  /**
   * After a crash the engine may still list endpoints of deleted containers, which would block the
   * network's removal.
   */
  async function cutStale(network: Network): Promise<void> {
    const { Containers: ends = {} } = await engine.call(() => network.inspect())
    for (const { Name } of Object.values(ends)) {
      await engine.find((abortSignal) =>
        network.disconnect({ Container: Name, Force: true, abortSignal }),
      )
    }
  }

  async function removeNamed(name: string): Promise<void> {
    const network = engine.docker.getNetwork(name)
    const facts = await engine.find(() => network.inspect())
    if (facts === null) return
    const remove = () =>
      engine.find((abortSignal) => network.remove({ abortSignal }), { deadlineMs: 30_000 })
    try {
      await remove()
    } catch (error) {
      if (!(error instanceof EngineError) || error.status !== 403) throw error
      await cutStale(network)
      await remove()
    }
    firewall.uncover(facts.Options?.[BRIDGE_NAME] ?? '')
  }

  /** The numbers whose networks exist. */
  async function present(): Promise<number[]> {
    const filters = { label: [`${LABEL.scope}=${settings.labelScope}`] }
    const listed = await engine.call(() => engine.docker.listNetworks({ filters }))
    return listed.flatMap(({ Labels }) => {
      const number = Labels?.[LABEL.number]
      return number === undefined ? [] : [Number(number)]
    })
  }

  return {
    async ensure(serverId, number, signal) {
      await leaving.get(number)
      const ready = warm.delete(number) && (await isThere(number, signal))
      if (!known.has(serverId) && !ready) {
        await retryRuleConflicts(() => create(number, signal))
      }
      known.add(serverId)
      return networkName(settings.labelScope, number)
    },
    forget(serverId) {
      known.delete(serverId)
    },
    async remove(serverId, number) {
      known.delete(serverId)
      const scope = settings.labelScope
      if (number !== null) await removeNamed(networkName(scope, number))
      await removeNamed(earlierNetworkName(scope, serverId))
    },
    async addWarm(free, isTaken) {
      const there = new Set(await present())
      for (const number of there) {
        if (free.includes(number) || isTaken(number)) continue
        const removal = removeNamed(networkName(settings.labelScope, number)).catch(() => {})
        leaving.set(number, removal)
        await removal
        leaving.delete(number)
      }
      for (const number of free) if (there.has(number) && !isTaken(number)) warm.add(number)
      const missing = free.find((number) => !there.has(number) && !isTaken(number))
      if (missing === undefined) return false
      await retryRuleConflicts(() => create(missing))
      if (!isTaken(missing)) warm.add(missing)
      return true
    },
  }
}

/** The /28 block with this index, such as `10.213.0.16/28`. */
export function subnet(pool: string, index: number): string {
  const value = parsePool(pool).base + index * ADDRESSES_PER_NETWORK
  const bytes = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256)
  return `${bytes.join('.')}/28`
}

function parsePool(pool: string): { base: number; bits: number } {
  const [address = '', bits = '0'] = pool.split('/')
  const base = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const size = 2 ** (32 - Number(bits))
  return { base: Math.floor(base / size) * size, bits: Number(bits) }
}

/**
 * Interfaces and address blocks already present on this machine: the engine would silently reuse a
 * bridge of the same name.
 */
async function usedOnHost(): Promise<{ interfaces: Set<string>; blocks: Set<string> }> {
  const [names, routes] = await Promise.all([
    readdir('/sys/class/net').catch(() => []),
    readFile('/proc/net/route', 'utf8').catch(() => ''),
  ])
  const blocks = routes
    .split('\n')
    .slice(1)
    .map((line) => {
      const bytes = Buffer.from(line.split('\t')[1] ?? '', 'hex')
      return [...bytes].reverse().join('.')
    })
  return { interfaces: new Set(names), blocks: new Set(blocks) }
}
