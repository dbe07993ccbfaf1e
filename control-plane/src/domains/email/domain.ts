import { defineDomain } from '../../domain.ts'
import { emailListeners } from './listeners.ts'
import { emailPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'

/** Mail: its wording, its sending and what was sent. */
export const email = defineDomain({
  name: 'email',
  routes: [routes],
  periodic: emailPeriodicTasks,
  listeners: emailListeners,
})
