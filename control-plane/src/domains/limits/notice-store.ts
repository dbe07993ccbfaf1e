import { and, asc, eq, gt, notInArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { type UserRow, users } from '../customers/tables.ts'
import { limitNotices } from './tables.ts'

/** Customers who own servers or attached files to messages, ordered by id. */
export const ownersAfter = (db: Db, after: string, limit: number): Promise<UserRow[]> =>
  db
    .select()
    .from(users)
    .where(
      and(
        eq(users.role, 'customer'),
        gt(users.id, after),
        sql`(exists (select 1 from servers where owner_id = ${users.id})
          or exists (select 1 from attachments where uploader_id = ${users.id}))`,
      ),
    )
    .orderBy(asc(users.id))
    .limit(limit)

/**
 * What these customers were notified of, each as `user limit kind`; warnings while they must not be
 * repeated.
 */
export async function noticesOf(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ userId: limitNotices.userId, limit: limitNotices.limit, kind: limitNotices.kind })
    .from(limitNotices)
    .where(
      and(
        sql`${limitNotices.userId} = any(${`{${userIds.join(',')}}`}::uuid[])`,
        or(eq(limitNotices.kind, 'over'), sql`${limitNotices.toldAt} >= now() - interval '3 days'`),
      ),
    )
  return new Set(rows.map((row) => noticeKey(row.userId, row.limit, row.kind)))
}

export const noticeKey = (userId: string, limit: string, kind: string): string =>
  `${userId} ${limit} ${kind}`

/** True if the host has not yet been notified that this customer exceeds the limit. */
export async function beginsOver(db: Db, userId: string, limit: string): Promise<boolean> {
  const rows = await db
    .insert(limitNotices)
    .values({ userId, limit, kind: 'over' })
    .onConflictDoNothing()
    .returning({ userId: limitNotices.userId })
  return rows.length > 0
}

/** Clears all other limits, so that exceeding one of them again is reported again. */
export async function endOver(db: Db, userId: string, still: readonly string[]): Promise<void> {
  await db
    .delete(limitNotices)
    .where(
      and(
        eq(limitNotices.userId, userId),
        eq(limitNotices.kind, 'over'),
        notInArray(limitNotices.limit, [...still]),
      ),
    )
}

/** True for the first caller within three days. */
export async function mayNotify(
  db: Db,
  row: Omit<typeof limitNotices.$inferInsert, 'toldAt'>,
): Promise<boolean> {
  const rows = await db
    .insert(limitNotices)
    .values(row)
    .onConflictDoUpdate({
      target: [limitNotices.userId, limitNotices.limit, limitNotices.kind],
      set: { toldAt: sql`now()` },
      setWhere: sql`${limitNotices.toldAt} < now() - interval '3 days'`,
    })
    .returning({ userId: limitNotices.userId })
  return rows.length > 0
}
