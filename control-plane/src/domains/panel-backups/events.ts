import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    'panel-backup.failed': { backupId: string; reason: string }
    'panel-backup.overdue': { lastGoodAt: Date | null }
  }
}

export const panelBackupNoticeTypes: NoticeTypes = {
  'panel-backup.failed': {
    title: 'The panel could not be backed up',
    severity: 'error',
    group: 'host',
    staff: 'settings.manage',
  },
  'panel-backup.overdue': {
    title: 'The panel has no recent backup',
    severity: 'error',
    group: 'host',
    staff: 'settings.manage',
  },
}

export const panelBackupNotices: Notices = {
  'panel-backup.failed': [
    {
      type: 'panel-backup.failed',
      to: () => ({ staff: 'settings.manage' }),
      notice: ({ reason }) => ({
        title: 'The panel could not be backed up',
        body: reason,
        link: panelPath('settingsBackups'),
      }),
    },
  ],
  'panel-backup.overdue': [
    {
      type: 'panel-backup.overdue',
      to: () => ({ staff: 'settings.manage' }),
      notice: ({ lastGoodAt }, reader) => ({
        title: 'The panel has no recent backup',
        body: lastGoodAt
          ? `The newest one is from ${momentText(lastGoodAt, reader)}. Find out why later ones failed.`
          : 'None has succeeded yet. Find out why they fail.',
        link: panelPath('settingsBackups'),
      }),
    },
  ],
}
