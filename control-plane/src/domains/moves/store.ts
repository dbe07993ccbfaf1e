import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type ServerMoveRow, serverMoves } from './tables.ts'

export async function findMove(db: Db, serverId: string): Promise<ServerMoveRow | undefined> {
  const [row] = await db.select().from(serverMoves).where(eq(serverMoves.serverId, serverId))
  return row
}

export async function insertMove(db: Db, row: typeof serverMoves.$inferInsert): Promise<void> {
  await db.insert(serverMoves).values(row)
}

export async function updateMove(
  db: Db,
  serverId: string,
  change: Partial<ServerMoveRow>,
): Promise<void> {
  await db.update(serverMoves).set(change).where(eq(serverMoves.serverId, serverId))
}

export async function deleteMove(db: Db, serverId: string): Promise<void> {
  await db.delete(serverMoves).where(eq(serverMoves.serverId, serverId))
}

/**
 * Former copies that are no longer needed: their servers are proven elsewhere, since the job that
 * moved them has ended, or are gone.
 */
export const leftovers = (db: Db): Promise<ServerMoveRow[]> =>
  db
    .select()
    .from(serverMoves)
    .where(
      sql`${serverMoves.state} = 'left' and not exists (select from jobs
        where jobs.server_id = ${serverMoves.serverId} and jobs.kind = 'server.migrate'
          and jobs.ended_at is null)`,
    )
    .limit(50)
