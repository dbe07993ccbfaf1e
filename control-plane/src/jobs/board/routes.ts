import { Job, JobState } from '@lodge/shared/jobs.ts'
import { z } from 'zod'
import { hasPermission, type User } from '../../actor.ts'
import { cutPage, decodeCursor, pageOf, pageQuery } from '../../db/cursor.ts'
import { flagText } from '../../flag-text.ts'
import { get } from '../../http/endpoint.ts'
import { job } from './access.ts'
import { describeJobs, listJobs } from './store.ts'

const readerOf = (actor: User) => (actor.role === 'admin' ? 'host' : 'customer')

export const jobList = get('/api/jobs', {
  summary: 'Recent jobs',
  access: { who: 'user', token: 'read' },
  query: z.object({
    ...pageQuery,
    serverId: z.uuid().optional(),
    open: flagText.optional(),
    state: JobState.optional(),
  }),
  reply: pageOf(Job),
  handle: async ({ ctx, query }) => {
    const rows = await listJobs(ctx.db, {
      ownerId: hasPermission(ctx.actor, 'jobs.view') ? undefined : ctx.actor.id,
      serverId: query.serverId,
      open: query.open,
      state: query.state,
      after: decodeCursor(query.after),
      limit: query.limit,
    })
    const page = cutPage(rows, query.limit, (row) => ['', row.id])
    return {
      items: await describeJobs(ctx.db, page.items, readerOf(ctx.actor)),
      nextCursor: page.nextCursor,
    }
  },
})

export const showJob = get('/api/jobs/{id}', {
  summary: 'One job with its steps',
  access: { who: 'user', on: job },
  reply: Job,
  handle: async ({ ctx, job }) =>
    (await describeJobs(ctx.db, [job], readerOf(ctx.actor)))[0] as Job,
})
