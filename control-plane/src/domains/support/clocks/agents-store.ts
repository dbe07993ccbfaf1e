import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportGroupMembers } from '../categories/tables.ts'

/** The members of a group; nobody without one. */
export async function membersOf(db: Db, groupId: string | null): Promise<string[]> {
  if (groupId === null) return []
  const rows = await db
    .select({ id: supportGroupMembers.userId })
    .from(supportGroupMembers)
    .where(eq(supportGroupMembers.groupId, groupId))
  return rows.map(({ id }) => id)
}
