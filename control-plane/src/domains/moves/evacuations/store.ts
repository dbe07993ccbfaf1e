import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { servers } from '../../servers/tables.ts'
import {
  type EvacuationRow,
  type EvacuationServerRow,
  evacuationServers,
  evacuations,
} from './tables.ts'

export async function findEvacuation(db: Db, nodeId: string): Promise<EvacuationRow | undefined> {
  const [row] = await db.select().from(evacuations).where(eq(evacuations.nodeId, nodeId))
  return row
}

export const listEvacuated = (db: Db, nodeId: string): Promise<EvacuationServerRow[]> =>
  db
    .select()
    .from(evacuationServers)
    .where(eq(evacuationServers.nodeId, nodeId))
    .orderBy(asc(evacuationServers.position))

/** Replaces the results of the node's previous evacuation. */
export async function beginEvacuation(
  db: Db,
  row: typeof evacuations.$inferInsert,
  all: readonly Pick<EvacuationServerRow, 'serverId' | 'serverName'>[],
): Promise<void> {
  await db.delete(evacuations).where(eq(evacuations.nodeId, row.nodeId))
  await db.insert(evacuations).values(row)
  if (all.length === 0) return
  const { nodeId } = row
  await db
    .insert(evacuationServers)
    .values(all.map((one, position) => ({ ...one, nodeId, position, state: 'waiting' as const })))
}

/** False if it had already ended. */
export async function endEvacuation(db: Db, nodeId: string, endedAt: Date): Promise<boolean> {
  const rows = await db
    .update(evacuations)
    .set({ endedAt })
    .where(and(eq(evacuations.nodeId, nodeId), isNull(evacuations.endedAt)))
    .returning({ nodeId: evacuations.nodeId })
  return rows.length > 0
}

export async function updateEvacuated(
  db: Db,
  { nodeId, serverId }: Pick<EvacuationServerRow, 'nodeId' | 'serverId'>,
  change: Partial<EvacuationServerRow>,
): Promise<void> {
  await db
    .update(evacuationServers)
    .set(change)
    .where(and(eq(evacuationServers.nodeId, nodeId), eq(evacuationServers.serverId, serverId)))
}

/** Ids of the servers of a node, the largest first: they are the hardest to place. */
export async function serversOfNode(db: Db, nodeId: string): Promise<string[]> {
  const rows = await db
    .select({ id: servers.id })
    .from(servers)
    .where(eq(servers.nodeId, nodeId))
    .orderBy(servers.memoryMb, servers.id)
  return rows.map(({ id }) => id).reverse()
}
