import { watcher } from '../jobs/periodic-task.ts'
import { sealRecorded } from './seal.ts'
import { ANY_UNSEALED } from './store.ts'

export const auditPeriodicTasks = [
  watcher('audit.seal', ANY_UNSEALED, (services) => sealRecorded(services)),
]
