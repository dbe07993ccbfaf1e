import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { forgetBuiltIn } from './own-wording.ts'
import { sendDue } from './sender.ts'
import { DUE_MESSAGE, wipeOld } from './store.ts'

export const emailPeriodicTasks = [
  watcher('email.send', DUE_MESSAGE, (services) => sendDue(services)),
  periodicTask('email.forget_built_in', 3600, (services) => forgetBuiltIn(services)),
  periodicTask('email.wipe', 3600, ({ db }) => wipeOld(db)),
]
