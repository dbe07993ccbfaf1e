import { answer } from '../../answers.ts'
import { defineDomain } from '../../domain.ts'
import { nodeSchedules, runsOfNode } from '../servers/index.ts'
import { documentsFor } from './alone/documents.ts'
import { takeRuns } from './alone/take-runs.ts'
import { scheduleNotices, scheduleNoticeTypes } from './events.ts'
import { announceSchedules } from './live.ts'
import { schedulePeriodicTasks } from './periodic-tasks.ts'
import { scheduleActions, scheduleRecords } from './records.ts'
import * as routes from './routes.ts'
import { runSaga } from './runs/run-saga.ts'

/** What servers do by the clock. */
export const schedules = defineDomain({
  name: 'schedules',
  headings: [
    {
      name: 'Schedules',
      description: 'Tasks that a server does by itself, and how each run went.',
      paths: ['/api/cron', '/api/servers/{id}/schedules'],
    },
  ],
  routes: [routes],
  notifications: scheduleNotices,
  notificationTypes: scheduleNoticeTypes,
  actions: scheduleActions,
  records: scheduleRecords,
  answers: [answer(nodeSchedules, documentsFor), answer(runsOfNode, takeRuns)],
  sagas: [runSaga],
  periodic: schedulePeriodicTasks,
  live: announceSchedules,
})
