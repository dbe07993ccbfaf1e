import { inArray } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'

/** The accounts of addresses, by address. */
export async function findUserIds(
  db: Db,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (emails.length === 0) return new Map()
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.email, [...emails]))
  return new Map(rows.map(({ id, email }) => [email, id]))
}
