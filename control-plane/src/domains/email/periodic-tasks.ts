import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { sendDue } from './sender.ts'
import { DUE_MESSAGE, wipeOld } from './store.ts'
import { mailTroubleTask } from './trouble.ts'

export const emailPeriodicTasks = [
  watcher('email.send', DUE_MESSAGE, (services) => sendDue(services)),
  periodicTask('email.wipe', 3600, ({ db }) => wipeOld(db)),
  mailTroubleTask,
]
