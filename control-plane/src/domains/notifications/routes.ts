import { z } from 'zod'
import { pageOf, pageQuery } from '../../db/cursor.ts'
import { flagText } from '../../flag-text.ts'
import { get, post } from '../../http/endpoint.ts'
import { Notification, pageOfInbox, readInbox } from './inbox.ts'
import { countUnread } from './store.ts'

export const listNotifications = get('/api/notifications', {
  summary: 'Own inbox, the newest first',
  access: { who: 'user' },
  query: z.object({
    ...pageQuery,
    unread: flagText.optional(),
  }),
  reply: pageOf(Notification),
  handle: ({ ctx, query }) => pageOfInbox(ctx, query),
})

export const readNotifications = post('/api/notifications/read', {
  summary: 'Mark as read: some by id, or all that came until a moment',
  access: { who: 'user' },
  recorded: false,
  body: z.union([
    z.strictObject({ ids: z.array(z.uuid().toLowerCase()).min(1).max(500) }),
    z.strictObject({
      all: z.literal(true),
      before: z.iso.datetime({ offset: true }).optional(),
    }),
  ]),
  reply: z.object({ read: z.int(), unread: z.int() }),
  handle: ({ ctx, body }) => {
    const which =
      'ids' in body
        ? { ids: body.ids }
        : { before: body.before === undefined ? undefined : new Date(body.before) }
    return readInbox(ctx, which)
  },
})

export const summarizeNotifications = get('/api/notifications/summary', {
  summary: 'How many are unread',
  access: { who: 'user' },
  reply: z.object({ unread: z.int() }),
  handle: async ({ ctx }) => ({ unread: await countUnread(ctx.db, ctx.actor.id) }),
})
