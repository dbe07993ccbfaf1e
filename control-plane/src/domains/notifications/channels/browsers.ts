import type { EventHandlers } from '../../../events/events.ts'
import * as store from './browsers-store.ts'

/**
 * The notifications of a browser end with its session, unless that only lapses: whoever ends sessions
 * wants nothing to be read there any more. A browser whose session has lapsed is then not known to be
 * another, and ends too.
 */
export const browserListeners: EventHandlers = {
  'account.sessions_ended': async ({ db }, { userId, sessionIds, elsewhere }) => {
    await store.deleteBrowsersOf(db, userId, sessionIds)
    if (elsewhere) await store.deleteForgottenBrowsers(db, userId)
  },
  'account.session_followed': ({ db }, { userId, former, sessionId }) =>
    store.followSession(db, userId, former, sessionId),
}
