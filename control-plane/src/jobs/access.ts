import { holds } from '../context.ts'
import type { Resource } from '../http/access.ts'
import { findJob } from './store.ts'
import type { JobRow } from './tables.ts'

export const job: Resource<'job', JobRow, 'cancel'> = {
  name: 'job',
  loads: (ctx, id) => findJob(ctx.db, id),
  permits: (actor, job) =>
    job.ownerId === actor.id || job.startedBy === actor.id || holds(actor, 'jobs.view'),
}
