import { randomUUIDv7 } from 'node:crypto'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Ctx } from '../../context.ts'
import type { Notice } from '../../events/notices.ts'
import * as store from './store.ts'

/** Adds a notice to people's inboxes, in the caller's transaction. */
export async function notify(ctx: Ctx, userIds: readonly string[], notice: Notice): Promise<void> {
  const { link = null, groupKey = notice.type, ...rest } = notice
  // The owner may have been removed since.
  const present = await store.presentUsers(ctx.db, userIds)
  const rows = present.map((userId) => ({ id: randomUUIDv7(), userId, link, groupKey, ...rest }))
  await store.insertNotifications(ctx.db, rows)
  for (const { id } of rows) await ctx.live.announce(ctx.db, { kind: 'notification', id })
}

/** Notifies every administrator who has a permission. */
export async function notifyStaff(
  ctx: Ctx,
  permission: AdminPermission,
  notice: Notice,
): Promise<void> {
  await notify(ctx, await store.holdersOf(ctx.db, permission), notice)
}
