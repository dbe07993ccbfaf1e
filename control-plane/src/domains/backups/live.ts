import type { LiveSources } from '../../live/live-events.ts'
import { whoSees } from '../servers/index.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** A backup of this server began, ended or changed. */
    backups: true
  }
}

/** Open panels fetch the list again. */
export const announceBackups = (): LiveSources => ({
  backups: {
    bulkLimit: 500,
    load: async (db, ids) =>
      (await whoSees(db, ids)).map(({ serverId, audience }) => ({
        event: 'backups',
        data: { serverId },
        audience,
      })),
  },
})
