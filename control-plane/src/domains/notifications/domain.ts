import { defineDomain } from '../../domain.ts'
import { announceNotifications } from './inbox.ts'
import { notificationListeners } from './listeners.ts'
import { notificationPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'

/** Each person's inbox in the panel. */
export const notifications = defineDomain({
  name: 'notifications',
  headings: [{ name: 'Account', paths: ['/api/notifications'] }],
  routes: [routes],
  periodic: notificationPeriodicTasks,
  listeners: notificationListeners,
  live: announceNotifications,
})
