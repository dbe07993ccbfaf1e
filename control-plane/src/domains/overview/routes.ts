import { z } from 'zod'
import { hasPermission } from '../../actor.ts'
import { pageOf, pageQuery } from '../../db/cursor.ts'
import { get } from '../../http/endpoint.ts'
import { waitingAppeals } from '../suspensions/index.ts'
import { Activity, pageOfActivity } from './activity.ts'
import { Overview, readOverview } from './overview.ts'

export const overview = get('/api/overview', {
  summary: 'Counts, capacity and what needs attention',
  access: { who: 'admin', may: 'servers.view' },
  reply: Overview,
  handle: async ({ ctx }) =>
    readOverview(ctx.db, ctx.now, {
      storage: ctx.storage.look(),
      databaseConcern: ctx.databaseConcern,
      works: ctx.works,
      waitingAppeals: hasPermission(ctx.actor, 'suspension.view')
        ? (await waitingAppeals(ctx)).items
        : [],
    }),
})

export const activityOverview = get('/api/activity/overview', {
  summary: 'Recent activity of servers and nodes',
  access: { who: 'admin', may: 'servers.view' },
  query: z.object(pageQuery),
  reply: pageOf(Activity),
  handle: ({ ctx, query }) => pageOfActivity(ctx.db, query),
})
