import type { LiveSources } from '../../live/live-events.ts'
import { whoSees } from '../servers/index.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** The id of a server whose schedules, or the runs of one, have changed. */
    schedules: true
  }
}

/** Announces only the change: an open page of schedules fetches them again. */
export const announceSchedules = (): LiveSources => ({
  schedules: {
    bulkLimit: 500,
    load: async (db, ids) =>
      (await whoSees(db, ids)).map(({ serverId, audience }) => ({
        event: 'schedules',
        data: { serverId },
        audience,
      })),
  },
})
