import type { LiveSources } from '../../live/live-events.ts'
import { endStreams } from '../../live/stream.ts'
import type { Services } from '../../services.ts'
import { standingsOf } from './sessions/sessions.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    session: true
  }
}

/**
 * When a session ends or its standing changes, closes everything that it had opened, on every
 * instance. Connections opened since, under its present standing, stay: the announcement may arrive
 * late.
 */
export const announceSessions = ({ fleet, log }: Services): LiveSources => ({
  session: {
    load: async (db, ids) => {
      const standings = await standingsOf(db, ids).catch((error: unknown) => {
        log.warn({ err: error }, 'could not read sessions that changed: all they opened ends')
        return new Map<string, string>()
      })
      for (const id of ids) {
        const standingNow = standings.get(id)
        endStreams(id, standingNow)
        fleet.closeRelays({ sessionKey: id, ...(standingNow !== undefined && { standingNow }) })
      }
      return []
    },
  },
})
