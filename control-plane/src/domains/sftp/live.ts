import type { LiveSources } from '../../live/live-events.ts'
import type { Services } from '../../services.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** The id of an account whose SFTP connections end. */
    'sftp-connections': true
  }
}

/** What the SFTP connections of one account are closed by, on any instance. */
export const sessionKeyOf = (userId: string): string => `sftp ${userId}`

export const endConnections = ({ fleet }: Services): LiveSources => ({
  'sftp-connections': {
    load: async (_db, ids) => {
      for (const id of ids) fleet.closeRelays({ sessionKey: sessionKeyOf(id) })
      return []
    },
  },
})
