import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { DUE_DELIVERY, deleteOldDeliveries } from './channels/delivery-store.ts'
import { deliverDue } from './channels/pump.ts'
import { deleteOldNotifications } from './store.ts'

export const notificationPeriodicTasks = [
  watcher('notifications.deliver', DUE_DELIVERY, deliverDue),
  periodicTask('notifications.old', 3600, async ({ db }) => ({
    removed: await deleteOldNotifications(db),
    deliveries: await deleteOldDeliveries(db),
  })),
]
