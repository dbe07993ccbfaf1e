import type { LiveSources } from '../../live/live-events.ts'
import type { Services } from '../../services.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** The id of an account whose SFTP connections have to end. */
    'sftp-connections': true
  }
}

/** The session key under which every instance closes the SFTP connections of an account. */
export const sessionKeyOf = (userId: string): string => `sftp ${userId}`

export const endConnections = ({ fleet }: Services): LiveSources => ({
  'sftp-connections': {
    load: async (_db, ids) => {
      for (const id of ids) fleet.closeRelays({ sessionKey: sessionKeyOf(id) })
      return []
    },
  },
})
