import { z } from 'zod'
import type { Ctx, User } from '../../context.ts'
import { cutPage, decodeCursor } from '../../db/cursor.ts'
import type { LiveEvents } from '../../live/live-events.ts'
import * as store from './store.ts'

export const Notification = z.object({
  id: z.uuid(),
  type: z.string(),
  severity: z.enum(['info', 'warn', 'error']),
  title: z.string(),
  body: z.string(),
  link: z.string().nullable(),
  groupKey: z.string(),
  createdAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
})

const describe = (row: store.NotificationRow): z.infer<typeof Notification> => ({
  id: row.id,
  type: row.type,
  severity: row.severity,
  title: row.title,
  body: row.body,
  link: row.link,
  groupKey: row.groupKey,
  createdAt: row.createdAt.toISOString(),
  readAt: row.readAt?.toISOString() ?? null,
})

export async function pageOfInbox(
  ctx: Ctx<User>,
  query: { unread?: boolean | undefined; after?: string | undefined; limit: number },
) {
  const rows = await store.listNotifications(ctx.db, ctx.actor.id, {
    unread: query.unread === true,
    after: decodeCursor(query.after),
    limit: query.limit,
  })
  const page = cutPage(rows, query.limit, (row) => ['', row.id])
  return { ...page, items: page.items.map(describe) }
}

/** Tells open panels of what comes into an inbox. */
export function announceNotifications(live: LiveEvents): void {
  live.register('notification', async (db, ids) =>
    (await store.findNotifications(db, ids)).map((row) => ({
      event: 'notification',
      data: describe(row),
      audience: { userIds: [row.userId] },
    })),
  )
}
