import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { and, count, desc, eq, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Position } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import type { ReaderChoices } from '../../moment-text.ts'
import { users } from '../customers/tables.ts'
import { notificationChannels } from './channels/tables.ts'
import { notifications } from './tables.ts'

export type NotificationRow = typeof notifications.$inferSelect

export async function insertNotifications(
  db: Db,
  rows: readonly (typeof notifications.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await db.insert(notifications).values([...rows])
}

export const findNotifications = (db: Db, ids: readonly string[]): Promise<NotificationRow[]> =>
  db
    .select()
    .from(notifications)
    .where(inArray(notifications.id, [...ids]))

/** Newest first. */
export const listNotifications = (
  db: Db,
  userId: string,
  given: { unread: boolean; after: Position | undefined; limit: number },
): Promise<NotificationRow[]> =>
  db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        given.unread ? isNull(notifications.readAt) : undefined,
        given.after && lt(notifications.id, sql`${given.after[1]}::uuid`),
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(given.limit + 1)

/** @param which single entries, or all up to a time */
export async function markRead(
  db: Db,
  userId: string,
  which: { ids: readonly string[] } | { before: Date | undefined },
): Promise<number> {
  const chosen =
    'ids' in which
      ? inArray(notifications.id, [...which.ids])
      : which.before && lte(notifications.createdAt, which.before)
  const rows = await db
    .update(notifications)
    .set({ readAt: sql`now()` })
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt), chosen))
    .returning({ id: notifications.id })
  return rows.length
}

export async function countUnread(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ unread: count() })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
  return row?.unread ?? 0
}

/** A person who is notified, with their language and format. */
export type Addressee = ReaderChoices & { readonly id: string }
const ADDRESSEE = {
  id: users.id,
  preferences: users.preferences,
  locale: users.locale,
  timeZone: users.timeZone,
  lastLanguage: users.lastLanguage,
}

/** The people among these who still have an account. */
export const presentUsers = async (db: Db, ids: readonly string[]): Promise<Addressee[]> =>
  ids.length === 0
    ? []
    : db
        .select(ADDRESSEE)
        .from(users)
        .where(inArray(users.id, [...ids]))

/**
 * Administrators who have a permission.
 * @param ids only of these
 */
export const holdersOf = async (
  db: Db,
  permission: AdminPermission,
  ids?: readonly string[],
): Promise<Addressee[]> =>
  db
    .select(ADDRESSEE)
    .from(users)
    .where(
      and(
        eq(users.role, 'admin'),
        ids && inArray(users.id, [...ids]),
        or(users.superAdmin, sql`${permission} = any(${users.permissions})`),
      ),
    )
    .limit(500)

/** The people among these who have a channel for a type. */
export const subscribersTo = (
  db: Db,
  type: string,
  audience: 'all' | 'customers' | 'administrators',
): Promise<Addressee[]> =>
  db
    .select(ADDRESSEE)
    .from(users)
    .where(
      and(
        audience === 'all'
          ? undefined
          : eq(users.role, audience === 'customers' ? 'customer' : 'admin'),
        sql`exists (select from ${notificationChannels} c where c.user_id = ${users.id}
          and c.state = 'active' and c.events @> array[${type}])`,
      ),
    )

/** Read entries are kept for 90 days, unread ones for 180. */
export async function deleteOldNotifications(db: Db): Promise<number> {
  const rows = await db
    .delete(notifications)
    .where(
      sql`${notifications.createdAt} < now() - case when ${notifications.readAt} is null
          then interval '180 days' else interval '90 days' end`,
    )
    .returning({ id: notifications.id })
  return rows.length
}
