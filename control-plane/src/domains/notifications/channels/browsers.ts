import type { EventHandlers } from '../../../events/events.ts'
import * as store from './browsers-store.ts'

/**
 * Removes a browser's channel when its session is ended, but not when it lapses: whoever ends a
 * session wants nothing to be read there any more. A browser whose session has lapsed might be the
 * one that was meant, so its channel is removed as well.
 */
export const browserListeners: EventHandlers = {
  'account.sessions_ended': async ({ db }, { userId, sessionIds, elsewhere }) => {
    await store.deleteBrowsersOf(db, userId, sessionIds)
    if (elsewhere) await store.deleteForgottenBrowsers(db, userId)
  },
  'account.session_followed': ({ db }, { userId, former, sessionId }) =>
    store.followSession(db, userId, former, sessionId),
}
