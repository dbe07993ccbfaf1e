export { announceNotifications } from './inbox.ts'
export { notificationKeepers } from './keepers.ts'
export { notificationListeners } from './listeners.ts'
export { notifyStaff } from './notify.ts'
