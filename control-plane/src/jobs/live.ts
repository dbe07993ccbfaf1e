import type { LiveEvents } from '../live/live-events.ts'
import { describeJobs, findJobs, sharersOf } from './store.ts'

export function announceJobs(live: LiveEvents): void {
  live.register('job', async (db, ids) => {
    const rows = await findJobs(db, ids)
    const described = await describeJobs(db, rows)
    const sharers = await Promise.all(rows.map((row) => sharersOf(db, row)))
    return described.map((job, at) => ({
      event: 'job',
      data: job,
      audience: {
        userIds: [
          rows[at]?.ownerId,
          rows[at]?.startedBy,
          ...(sharers[at] ?? []).map((one) => one.id),
        ].filter((id) => typeof id === 'string'),
        permission: 'jobs.view' as const,
      },
    }))
  })
}
