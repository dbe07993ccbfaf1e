import { declare } from './declare.ts'
import { jobKindOf } from './job-kind.ts'

/** What servers do by themselves. */
export const schedules = declare({
  problems: {
    task_not_available: { status: 400, title: 'This task is not available' },
  },
  jobKinds: {
    // Excludes nothing: its tasks are jobs of their own.
    'schedule.run': { ...jobKindOf(true), ownNotice: true },
  },
})
