import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'
import { reasonIn, wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

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
      notice: ({ reason }, reader) => ({
        title: wordsFor(t, reader).failed,
        body: reasonIn(reason, reader),
        link: panelPath('settingsBackups'),
      }),
    },
  ],
  'panel-backup.overdue': [
    {
      type: 'panel-backup.overdue',
      to: () => ({ staff: 'settings.manage' }),
      notice: ({ lastGoodAt }, reader) => ({
        title: wordsFor(t, reader).overdue,
        body: lastGoodAt
          ? wordsFor(t, reader).newestFrom({ at: momentText(lastGoodAt, reader) })
          : wordsFor(t, reader).noneYet,
        link: panelPath('settingsBackups'),
      }),
    },
  ],
}
