import { hasPermission } from '../../actor.ts'
import type { Resource } from '../../http/access.ts'
import { findJob, type Sharer, sharersOf } from './store.ts'
import type { JobRow } from './tables.ts'

/** A job with the people who share its server. */
export interface SharedJob extends JobRow {
  readonly sharers: readonly Sharer[]
}

/** Collaborators of a server see its jobs, and may cancel them if they may stop the server. */
export const job: Resource<'job', SharedJob, 'cancel'> = {
  name: 'job',
  shared: true,
  loads: async (ctx, id) => {
    const row = await findJob(ctx.db, id)
    return row && { ...row, sharers: await sharersOf(ctx.db, row) }
  },
  permits: (actor, job, may) =>
    job.ownerId === actor.id ||
    job.startedBy === actor.id ||
    hasPermission(actor, may === 'cancel' ? 'jobs.manage' : 'jobs.view') ||
    job.sharers.some(
      ({ id, permissions }) =>
        id === actor.id && (may === undefined || permissions.includes('power.stop')),
    ),
}
