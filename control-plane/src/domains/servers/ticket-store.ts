import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { consoleTickets } from './tables.ts'

export async function insertTicket(db: Db, row: typeof consoleTickets.$inferInsert): Promise<void> {
  await db.insert(consoleTickets).values(row)
}

/** Redeems a ticket; of two concurrent uses only one succeeds. */
export async function redeemTicket(
  db: Db,
  tokenHash: string,
): Promise<typeof consoleTickets.$inferSelect | undefined> {
  const [row] = await db
    .delete(consoleTickets)
    .where(eq(consoleTickets.tokenHash, tokenHash))
    .returning()
  return row && row.expiresAt > new Date() ? row : undefined
}

export async function deleteStaleTickets(db: Db): Promise<number> {
  const rows = await db
    .delete(consoleTickets)
    .where(sql`${consoleTickets.expiresAt} < now()`)
    .returning({ id: consoleTickets.serverId })
  return rows.length
}
