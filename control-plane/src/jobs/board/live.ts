import type { LiveSources, Loaded } from '../../live/live-events.ts'
import { describeJobs, findJobs, sharersOf } from './store.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    job: true
  }
}

/** Announces jobs: the customer's view, plus the host's view for those who may see all jobs. */
export const announceJobs = (): LiveSources => ({
  job: {
    bulkLimit: 500,
    load: async (db, ids) => {
      const rows = await findJobs(db, ids)
      const forCustomers = await describeJobs(db, rows, 'customer')
      const forHost = await describeJobs(db, rows, 'host')
      const sharers = await Promise.all(rows.map((row) => sharersOf(db, row)))
      return rows.flatMap((row, at): Loaded[] => {
        const people = [row.ownerId, row.startedBy, ...(sharers[at] ?? []).map((one) => one.id)]
        const userIds = people.filter((id) => typeof id === 'string')
        const permission = 'jobs.view' as const
        const [customers, host] = [forCustomers[at], forHost[at]]
        if (customers?.startedBy === host?.startedBy)
          return [{ event: 'job', data: host, audience: { userIds, permission } }]
        return [
          { event: 'job', data: customers, audience: { userIds } },
          { event: 'job', data: host, audience: { permission } },
        ]
      })
    },
  },
})
