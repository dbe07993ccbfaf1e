import { keeper } from '../../jobs/keeper.ts'
import { deleteOldNotifications } from './store.ts'

export const notificationKeepers = [
  keeper('notifications.old', 3600, async ({ db }) => ({
    removed: await deleteOldNotifications(db),
  })),
]
