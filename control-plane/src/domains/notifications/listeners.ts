import type { Catalogue } from '../../catalogue.ts'
import type { EventCatalogue, EventName } from '../../events/catalogue.ts'
import type { EventHandler, EventHandlers } from '../../events/events.ts'
import type { Told } from '../../events/notices.ts'
import type { Reader } from '../../moment-text.ts'
import { notify, notifyStaff } from './notify.ts'

/** Turns one event into the declared notices. */
function listenerOf<N extends EventName>(
  declared: readonly Told<EventCatalogue[N]>[],
): EventHandler<N> {
  return async (ctx, payload) => {
    for (const { to, notice } of declared) {
      const audience = to(payload)
      const noticeFor = (reader: Reader) => notice(payload, reader)
      if ('staff' in audience) await notifyStaff(ctx, audience.staff, noticeFor)
      else {
        const ids = audience.users.filter((id) => id !== null)
        await notify(ctx, [...new Set(ids)], noticeFor)
      }
    }
  }
}

/** Creates inbox entries for every event that declares recipients. */
export const notificationListeners = ({ notices }: Catalogue): EventHandlers =>
  Object.fromEntries(
    Object.entries(notices).map(([name, declared]) => [
      name,
      listenerOf(declared as readonly Told<never>[]),
    ]),
  )
