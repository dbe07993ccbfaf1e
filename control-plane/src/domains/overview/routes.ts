import { z } from 'zod'
import { pageOf, pageQuery } from '../../db/cursor.ts'
import { get } from '../../http/endpoint.ts'
import { Activity, pageOfActivity } from './activity.ts'
import { Overview, readOverview } from './overview.ts'

export const overview = get('/api/overview', {
  summary: 'Counts, capacity and what needs attention',
  access: { who: 'admin', may: 'servers.view' },
  reply: Overview,
  handle: ({ ctx }) =>
    readOverview(ctx.db, ctx.now, {
      storage: ctx.storage.look(),
      databaseConcern: ctx.databaseConcern,
    }),
})

export const activityOverview = get('/api/activity/overview', {
  summary: 'Recent activity of servers and nodes',
  access: { who: 'admin', may: 'servers.view' },
  query: z.object(pageQuery),
  reply: pageOf(Activity),
  handle: ({ ctx, query }) => pageOfActivity(ctx.db, query),
})
