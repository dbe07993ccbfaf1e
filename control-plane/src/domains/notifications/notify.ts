import { randomUUIDv7 } from 'node:crypto'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Ctx } from '../../context.ts'
import type { Notice } from '../../events/notices.ts'
import type { Reader } from '../../moment-text.ts'
import * as store from './store.ts'

/** Words a notice for one person. */
type NoticeFor = (reader: Reader) => Notice

/** Adds a notice to people's inboxes, in the caller's transaction. */
export async function notify(
  ctx: Ctx,
  userIds: readonly string[],
  noticeFor: NoticeFor,
): Promise<void> {
  // The owner may have been removed since.
  await tell(ctx, await store.presentUsers(ctx.db, userIds), noticeFor)
}

/** Notifies every administrator who has a permission. */
export async function notifyStaff(
  ctx: Ctx,
  permission: AdminPermission,
  noticeFor: NoticeFor,
): Promise<void> {
  await tell(ctx, await store.holdersOf(ctx.db, permission), noticeFor)
}

async function tell(
  ctx: Ctx,
  people: readonly store.Addressee[],
  noticeFor: NoticeFor,
): Promise<void> {
  const rows = people.map((person) => {
    const { link = null, type, groupKey = type, ...rest } = noticeFor(person)
    return { id: randomUUIDv7(), userId: person.id, link, type, groupKey, ...rest }
  })
  await store.insertNotifications(ctx.db, rows)
  for (const { id } of rows) await ctx.live.announce(ctx.db, { kind: 'notification', id })
}
