import type { LiveSources } from '../../live/live-events.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** The id of the version of the look with another announcement. */
    announcement: true
  }
}

/** Announces only the change: open panels fetch the announcement, since it depends on the reader. */
export const tellOfAnnouncements = (): LiveSources => ({
  announcement: {
    load: async () => [{ event: 'announcement', data: {}, audience: { everyone: true } }],
  },
})
