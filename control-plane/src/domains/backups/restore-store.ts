import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'
import { type RestoreRow, serverRestores } from './tables.ts'

export async function findRestore(db: Db, serverId: string): Promise<RestoreRow | undefined> {
  const [row] = await db.select().from(serverRestores).where(eq(serverRestores.serverId, serverId))
  return row
}

export async function insertRestore(
  db: Db,
  row: typeof serverRestores.$inferInsert,
): Promise<void> {
  await db.insert(serverRestores).values(row)
}

const own = (serverId: string, restoreId: string) =>
  and(eq(serverRestores.serverId, serverId), eq(serverRestores.restoreId, restoreId))

export async function updateRestore(
  db: Db,
  serverId: string,
  restoreId: string,
  change: Partial<RestoreRow>,
): Promise<void> {
  await db.update(serverRestores).set(change).where(own(serverId, restoreId))
}

export async function deleteRestore(db: Db, serverId: string, restoreId: string): Promise<void> {
  await db.delete(serverRestores).where(own(serverId, restoreId))
}

/**
 * Restores on connected nodes whose former data are no longer needed: the server has run since, or
 * the time is over.
 */
export async function provenRestores(
  db: Db,
  keptHours: number,
): Promise<{ serverId: string; restoreId: string; nodeId: string }[]> {
  const { rows } = await db.execute<{ serverId: string; restoreId: string; nodeId: string }>(sql`
    select r.server_id as "serverId", r.restore_id as "restoreId", s.node_id as "nodeId"
    from server_restores r join servers s on s.id = r.server_id join nodes on nodes.id = s.node_id
    where r.state = 'kept' and ${sql.raw(ONLINE)} and (
      r.restored_at < now() - ${keptHours} * interval '1 hour'
      or s.observed_state = 'running' and s.observed_generation >= r.since_generation)
    limit 50`)
  return rows
}
