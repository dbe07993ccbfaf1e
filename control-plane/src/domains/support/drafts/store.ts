import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportDrafts } from './tables.ts'

type DraftRow = typeof supportDrafts.$inferSelect

const one = (userId: string, about: string) =>
  and(eq(supportDrafts.userId, userId), eq(supportDrafts.about, about))

export async function findDraft(
  db: Db,
  userId: string,
  about: string,
): Promise<DraftRow | undefined> {
  const [row] = await db.select().from(supportDrafts).where(one(userId, about))
  return row
}

/**
 * Stores a draft that continues this version; 0 for a new one.
 * @returns undefined if there is another version by now
 */
export async function saveDraft(
  db: Db,
  { version, ...given }: Omit<DraftRow, 'version'> & { version: number },
): Promise<DraftRow | undefined> {
  if (version === 0) {
    const rows = await db
      .insert(supportDrafts)
      .values({ ...given, version: 1 })
      .onConflictDoNothing()
      .returning()
    return rows[0]
  }
  const { userId, about, ...values } = given
  const rows = await db
    .update(supportDrafts)
    .set({ ...values, version: sql`${supportDrafts.version} + 1` })
    .where(and(one(userId, about), eq(supportDrafts.version, version)))
    .returning()
  return rows[0]
}

/** Deletes a draft that was sent. */
export async function forgetDraft(db: Db, userId: string, about: string): Promise<void> {
  await db.delete(supportDrafts).where(one(userId, about))
}

/** @returns how many were deleted */
export async function deleteOldDrafts(db: Db, days: number): Promise<number> {
  const rows = await db
    .delete(supportDrafts)
    .where(lt(supportDrafts.updatedAt, sql`now() - make_interval(days => ${days})`))
    .returning({ about: supportDrafts.about })
  return rows.length
}
