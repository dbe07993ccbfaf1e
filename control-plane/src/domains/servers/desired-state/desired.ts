import { type DesiredServer, Ending, Power as WirePower } from '@lodge/proto/server.ts'
import type { HoldKind } from '@lodge/shared/servers.ts'
import type { Vault } from '../../../secrets/vault.ts'
import type { Services } from '../../../services.ts'
import { nodeSchedules } from '../node-schedules.ts'
import { wholeSpec } from '../spec/sealed.ts'
import { type DesiredRow, desiredRowsOfNodes, desiredRowsOfServers } from './desired-state-store.ts'

/** Holds that keep a server stopped, whatever its owner wants. */
export const KEEPS_OFF: readonly HoldKind[] = [
  'suspension',
  'deletion',
  'deleting',
  'migrating',
  'restoring',
  'snapshotting',
  'failover',
]

/** All desired states of each of these nodes, by node. */
export async function desiredStatesOfNodes(
  { db, vault, catalogue }: Pick<Services, 'db' | 'vault' | 'catalogue'>,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, DesiredServer[]>> {
  const rows = await desiredRowsOfNodes(db, nodeIds)
  const schedules = await schedulesOf(catalogue, db, rows)
  return new Map(
    [...Map.groupBy(rows, ({ node }) => node)].map(([node, own]) => [
      node,
      own.map((row) => desiredServer(vault, row, schedules.get(row.id))),
    ]),
  )
}

/** The desired state of each of these servers, with its node. */
export async function desiredStatesOfServers(
  { db, vault, catalogue }: Pick<Services, 'db' | 'vault' | 'catalogue'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { node: string; desired: DesiredServer }>> {
  const rows = await desiredRowsOfServers(db, ids)
  const schedules = await schedulesOf(catalogue, db, rows)
  return new Map(
    rows.map((row) => [
      row.id,
      { node: row.node, desired: desiredServer(vault, row, schedules.get(row.id)) },
    ]),
  )
}

/** The schedules that the servers run while their node is cut off; none while they are held. */
const schedulesOf = (
  { answers }: Services['catalogue'],
  db: Services['db'],
  rows: readonly DesiredRow[],
): Promise<ReadonlyMap<string, string>> =>
  answers.to(nodeSchedules)(
    db,
    rows.flatMap(({ id, holds }) => (holds.length === 0 ? [id] : [])),
  )

/** The desired state as sent to the agent: holds are applied, their reasons stay here. */
function desiredServer(
  vault: Vault,
  row: DesiredRow,
  schedules: string | undefined,
): DesiredServer {
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
      : { containerSpec: wholeSpec(vault, row), playerQuery: row.query ?? undefined }),
    placementGeneration: row.placement,
    schedules,
    failover: row.failoverMode
      ? { mode: row.failoverMode, revision: row.failoverRevision }
      : undefined,
  }
}
