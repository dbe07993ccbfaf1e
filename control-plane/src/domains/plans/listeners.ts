import type { EventHandlers } from '../../events/events.ts'
import { deleteSubscriptionsOf } from './store.ts'

export const planListeners: EventHandlers = {
  'customer.deleted': (ctx, { userId }) => deleteSubscriptionsOf(ctx.db, userId),
}
