import type { Catalogue } from '../../catalogue.ts'
import type { EventCatalogue, EventName } from '../../events/catalogue.ts'
import type { EventHandler, EventHandlers } from '../../events/events.ts'
import type { NoticeRule } from '../../events/notices.ts'
import { browserListeners } from './channels/browsers.ts'
import { styleListeners } from './channels/lost-style.ts'
import { type Telling, tell } from './notify.ts'

/** The server of an event; all events about a server name it in the same fields. */
function serverIn(payload: object): Telling['server'] {
  const { serverId, serverName } = payload as { serverId?: unknown; serverName?: unknown }
  if (typeof serverId !== 'string') return undefined
  return { id: serverId, name: typeof serverName === 'string' ? serverName : null }
}

/** Turns one event into the declared notices. */
function listenerOf<N extends EventName>(
  declared: readonly NoticeRule<EventCatalogue[N]>[],
): EventHandler<N> {
  return async (ctx, payload) => {
    for (const { type, inbox, to, notice } of declared)
      await tell(ctx, to(payload), {
        type,
        inbox,
        server: serverIn(payload),
        noticeFor: (reader) => notice(payload, reader),
      })
  }
}

/** Notifies people of every event that declares recipients. */
export const notificationListeners = ({ notices }: Catalogue): EventHandlers => ({
  ...Object.fromEntries(
    Object.entries(notices).map(([name, declared]) => [
      name,
      listenerOf(declared as readonly NoticeRule<never>[]),
    ]),
  ),
  ...browserListeners,
  ...styleListeners,
})
