import type { LiveSources } from '../../live/live-events.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** A backup of the panel began or ended. */
    'panel-backups': true
  }
}

/** Open panels fetch the list again. */
export const announcePanelBackups = (): LiveSources => ({
  'panel-backups': {
    load: async (_db, ids) =>
      ids.slice(0, 1).map(() => ({
        event: 'panel-backups',
        data: {},
        audience: { permission: 'settings.manage' },
      })),
  },
})
