import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { resetRequests } from './tables.ts'

export async function insertResetRequest(
  db: Db,
  row: typeof resetRequests.$inferInsert,
): Promise<void> {
  await db.insert(resetRequests).values(row)
}

/** Has a row while there is a request. */
export const ANY_RESET_REQUEST = 'select from reset_requests'

/** Removes and returns the oldest requests; a concurrent instance gets others. */
export async function takeResetRequests(db: Db, count: number) {
  const oldest = sql`select id from reset_requests order by id limit ${count} for update skip locked`
  return db
    .delete(resetRequests)
    .where(sql`${resetRequests.id} in (${oldest})`)
    .returning({ email: resetRequests.email, language: resetRequests.language })
}
