import { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { cutPage, decodeCursor } from '../../db/cursor.ts'
import type { LiveSources } from '../../live/live-events.ts'
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

/** Marks notices as read and updates the person's other open panels. */
export async function readInbox(
  ctx: Ctx<User>,
  which: Parameters<typeof store.markRead>[2],
): Promise<{ read: number; unread: number }> {
  const { id } = ctx.actor
  return ctx.transaction(async (ctx) => {
    const read = await store.markRead(ctx.db, id, which)
    if (read > 0) await ctx.live.announce(ctx.db, { kind: 'inbox', id })
    return { read, unread: await store.countUnread(ctx.db, id) }
  })
}

declare module '../../live/announcement.ts' {
  interface Announcements {
    notification: true
    inbox: true
  }
}

/** Updates open panels on new entries, and on those read elsewhere. */
export const announceNotifications = (): LiveSources => ({
  notification: {
    load: async (db, ids) =>
      (await store.findNotifications(db, ids)).map((row) => ({
        event: 'notification',
        data: describe(row),
        audience: { userIds: [row.userId] },
      })),
  },
  inbox: {
    load: (db, ids) =>
      Promise.all(
        ids.map(async (userId) => ({
          event: 'inbox',
          data: { unread: await store.countUnread(db, userId) },
          audience: { userIds: [userId] },
        })),
      ),
  },
})
