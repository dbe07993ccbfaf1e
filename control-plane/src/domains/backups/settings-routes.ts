import { BackupSettingsView, EditBackupSettings } from '@lodge/shared/backups.ts'
import { get, put } from '../../http/endpoint.ts'
import { changeBackupSettings, showBackupSettings } from './settings.ts'

export const showBackupsSettings = get('/api/settings/backups', {
  summary: 'Where backups are kept, and how many of the scheduled ones',
  access: { who: 'admin', may: 'settings.manage' },
  reply: BackupSettingsView,
  handle: ({ ctx }) => showBackupSettings(ctx),
})

export const editBackupsSettings = put('/api/settings/backups', {
  summary: 'Change where backups are kept, and how many of the scheduled ones',
  access: { who: 'admin', may: 'settings.manage' },
  body: EditBackupSettings,
  reply: BackupSettingsView,
  recorded: 'changed the settings of backups',
  handle: ({ ctx, body }) => changeBackupSettings(ctx, body),
})
