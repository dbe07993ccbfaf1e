import { periodicTask } from '../../jobs/periodic-task.ts'
import { deleteOldNotifications } from './store.ts'

export const notificationPeriodicTasks = [
  periodicTask('notifications.old', 3600, async ({ db }) => ({
    removed: await deleteOldNotifications(db),
  })),
]
