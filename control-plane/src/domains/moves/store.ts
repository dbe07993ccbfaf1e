import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'
import { LOST } from '../nodes/index.ts'
import { nodes } from '../nodes/tables.ts'
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

/** Former copies that are no longer needed: their servers are proven elsewhere, or are gone. */
const PROVEN = sql`${serverMoves.state} = 'left' and not exists (select from jobs
  where jobs.server_id = ${serverMoves.serverId} and jobs.kind = 'server.migrate'
    and jobs.ended_at is null)`

/** Leftovers whose nodes can delete them now, the oldest first. */
export const leftovers = (db: Db): Promise<ServerMoveRow[]> => leftoversOn(db, ONLINE)

/** Leftovers on nodes that are no longer waited for. */
export const lostLeftovers = (db: Db): Promise<ServerMoveRow[]> => leftoversOn(db, LOST)

async function leftoversOn(db: Db, nodesThat: string): Promise<ServerMoveRow[]> {
  const rows = await db
    .select({ move: serverMoves })
    .from(serverMoves)
    .innerJoin(nodes, eq(nodes.id, serverMoves.otherNodeId))
    .where(sql`${PROVEN} and ${sql.raw(nodesThat)}`)
    .orderBy(serverMoves.createdAt, serverMoves.serverId)
    .limit(50)
  return rows.map(({ move }) => move)
}
