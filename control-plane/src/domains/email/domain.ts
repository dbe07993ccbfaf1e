import { defineDomain } from '../../domain.ts'
import { emailListeners } from './listeners.ts'
import { emailPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'
import { mailArea } from './settings.ts'

/** Mail: wording, sending and outbox. */
export const email = defineDomain({
  name: 'email',
  settings: [mailArea],
  headings: [{ name: 'Administration', paths: ['/api/email'] }],
  routes: [routes],
  periodic: emailPeriodicTasks,
  listeners: emailListeners,
})
