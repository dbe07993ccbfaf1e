import { type DesiredServer, Ending, Power as WirePower } from '@lodge/proto/server.ts'
import type { HoldKind } from '@lodge/shared/servers.ts'
import type { Services } from '../../context.ts'
import type { Vault } from '../../secrets/vault.ts'
import { wholeSpec } from './sealed.ts'
import { type WishRow, wishRowsOfNodes, wishRowsOfServers } from './wish-store.ts'

/** Holds under which a server stays off whatever its owner wishes. */
const KEEPS_OFF: readonly HoldKind[] = [
  'suspension',
  'deletion',
  'deleting',
  'migrating',
  'restoring',
  'snapshotting',
  'failover',
]

/** Everything wished for each of these nodes, by node. */
export async function wishesOfNodes(
  { db, vault }: Pick<Services, 'db' | 'vault'>,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, DesiredServer[]>> {
  const rows = await wishRowsOfNodes(db, nodeIds)
  return new Map(
    [...Map.groupBy(rows, ({ node }) => node)].map(([node, own]) => [
      node,
      own.map((row) => desiredServer(vault, row)),
    ]),
  )
}

/** The wish for each of these servers, and the node that it is for. */
export async function wishesOfServers(
  { db, vault }: Pick<Services, 'db' | 'vault'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { node: string; wish: DesiredServer }>> {
  const rows = await wishRowsOfServers(db, ids)
  return new Map(rows.map((row) => [row.id, { node: row.node, wish: desiredServer(vault, row) }]))
}

/** The wish as the agent is told it: holds are folded in, reasons stay here. */
function desiredServer(vault: Vault, row: WishRow): DesiredServer {
  const off = row.power === 'off' || row.holds.some((kind) => KEEPS_OFF.includes(kind))
  return {
    serverId: row.id,
    generation: row.generation,
    power: off ? WirePower.OFF : WirePower.ON,
    run: row.run,
    install: row.install,
    ending: row.ending === 'kill' ? Ending.KILL : Ending.GRACEFUL,
    removed: row.holds.includes('deleting'),
    crashPolicy: row.crashPolicy,
    ...(row.kind === 'vm'
      ? { containerSpec: '', machineSpec: row.spec }
      : { containerSpec: wholeSpec(vault, row) }),
    placementGeneration: row.placement,
  }
}
