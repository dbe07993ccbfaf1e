import type { EventName } from '@lodge/shared/events.ts'
import type { EventHandler, EventHandlers } from '../../events/events.ts'
import { notify, notifyStaff } from './notify.ts'
import { TOLD } from './told.ts'

/** What the table says of one event. */
function listenerOf<N extends EventName>(name: N): EventHandler<N> {
  return async (ctx, payload) => {
    for (const { to, notice } of TOLD[name] ?? []) {
      const audience = to(payload)
      if ('staff' in audience) await notifyStaff(ctx, audience.staff, notice(payload))
      else {
        const ids = audience.users.filter((id) => id !== null)
        await notify(ctx, [...new Set(ids)], notice(payload))
      }
    }
  }
}

/** Inbox entries about everything that the table names. */
export const notificationListeners: EventHandlers = Object.fromEntries(
  (Object.keys(TOLD) as EventName[]).map((name) => [name, listenerOf(name)]),
)
