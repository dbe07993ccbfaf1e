import { contextFor } from '../../context.ts'
import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { processRequests } from './register.ts'
import { ANY_REQUEST, deleteUnconfirmed } from './store.ts'

export const signupPeriodicTasks = [
  watcher('signup.requests', ANY_REQUEST, async (services) => ({
    requests: await processRequests(contextFor(services, { kind: 'system' })),
  })),
  periodicTask('signup.unconfirmed', 3600, async ({ db }) => ({
    removed: await deleteUnconfirmed(db),
  })),
]
