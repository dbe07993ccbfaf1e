import type { LiveSources } from '../../live/live-events.ts'
import { endStreams } from '../../live/stream.ts'
import type { Services } from '../../services.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    session: true
  }
}

/** When a session ends, so does everything it had opened, on any instance. */
export const announceSessions = ({ fleet }: Services): LiveSources => ({
  session: {
    load: async (_db, ids) => {
      for (const id of ids) {
        endStreams(id)
        fleet.closeRelays({ sessionKey: id })
      }
      return []
    },
  },
})
