export { announceNotifications } from './inbox.ts'
export { notificationListeners } from './listeners.ts'
export { notifyStaff } from './notify.ts'
export { notificationPeriodicTasks } from './periodic-tasks.ts'
