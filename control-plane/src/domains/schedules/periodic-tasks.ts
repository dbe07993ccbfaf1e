import { periodicTask } from '../../jobs/periodic-task.ts'
import { endLostRuns } from './alone/alone-store.ts'
import { dueSchedules } from './runs/due.ts'
import { deleteOldRuns } from './runs/tidy-store.ts'

/** Longer than any task of a run takes. */
const LOST_HOURS = 25

const tidyRuns = periodicTask('schedules.tidy', 3_600, async ({ db }) => ({
  deleted: await deleteOldRuns(db),
  lost: await endLostRuns(db, LOST_HOURS),
}))

export const schedulePeriodicTasks = [dueSchedules, tidyRuns]
