import { JobAccepted } from '@lodge/shared/jobs.ts'
import {
  EditPanelBackupSettings,
  PanelBackupSettings,
  PanelBackups,
  RecoveryKey,
} from '@lodge/shared/panel-backups.ts'
import { z } from 'zod'
import { get, post, put } from '../../http/endpoint.ts'
import { beginBackup } from './begin.ts'
import { listPanelBackups } from './list.ts'
import { changeSettings, showRecoveryKey, showSettings } from './settings.ts'

const access = { who: 'admin', may: 'settings.manage' } as const

export const listBackupsOfPanel = get('/api/panel-backups', {
  summary: 'Backups of the panel itself, the newest first, and whether one is missing',
  access,
  reply: PanelBackups,
  handle: ({ ctx }) => listPanelBackups(ctx),
})

export const createBackupOfPanel = post('/api/panel-backups', {
  summary: 'Back up the panel itself now',
  access,
  reply: JobAccepted.extend({ backupId: z.uuid() }),
  status: 202,
  recorded: 'backed up the panel',
  handle: ({ ctx }) => beginBackup(ctx),
})

export const showPanelRecoveryKey = post('/api/panel-backups/recovery-key', {
  summary: 'The key that opens backups of the panel, to be kept away from its machines',
  access: { ...access, stepUp: true },
  reply: RecoveryKey,
  recorded: 'looked at the recovery key of the panel’s backups',
  handle: async ({ ctx }) => ({ recoveryKey: await showRecoveryKey(ctx.db, ctx.vault) }),
})

export const showPanelBackupSettings = get('/api/settings/panel-backups', {
  summary: 'When and where the panel itself is backed up',
  access,
  reply: PanelBackupSettings,
  handle: ({ ctx }) => showSettings(ctx),
})

export const editPanelBackupSettings = put('/api/settings/panel-backups', {
  summary: 'Change when and where the panel itself is backed up',
  access: { ...access, stepUp: true },
  body: EditPanelBackupSettings,
  reply: PanelBackupSettings,
  recorded: 'changed the settings of the panel’s backups',
  handle: ({ ctx, body }) => changeSettings(ctx, body),
})
