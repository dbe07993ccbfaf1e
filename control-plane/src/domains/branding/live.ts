import type { LiveSources } from '../../live/live-events.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** The id of the version of the look with another announcement. */
    announcement: true
  }
}

/** Open panels ask for the announcement anew, since who they are decides whether they have one. */
export const tellOfAnnouncements = (): LiveSources => ({
  announcement: {
    load: async () => [{ event: 'announcement', data: {}, audience: { everyone: true } }],
  },
})
