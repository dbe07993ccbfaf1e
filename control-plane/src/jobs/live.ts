import type { LiveEvents } from '../live/live-events.ts'
import { describeJobs, findJobs } from './store.ts'

export function announceJobs(live: LiveEvents): void {
  live.register('job', async (db, ids) => {
    const rows = await findJobs(db, ids)
    const described = await describeJobs(db, rows)
    return described.map((job, at) => ({
      event: 'job',
      data: job,
      audience: {
        userIds: [rows[at]?.ownerId, rows[at]?.startedBy].filter((id) => typeof id === 'string'),
        permission: 'jobs.view' as const,
      },
    }))
  })
}
