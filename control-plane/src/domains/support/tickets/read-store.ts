import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportReads } from './tables.ts'

/** Never moves backwards: of two windows the one that has read further counts. */
export async function markRead(db: Db, row: typeof supportReads.$inferInsert): Promise<void> {
  await db
    .insert(supportReads)
    .values(row)
    .onConflictDoUpdate({
      target: [supportReads.userId, supportReads.ticketId],
      set: { readAt: sql`greatest(${supportReads.readAt}, excluded.read_at)` },
    })
}
