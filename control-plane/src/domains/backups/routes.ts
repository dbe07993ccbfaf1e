import {
  Backup,
  BackupFolder,
  BackupStanding,
  CreateBackup,
  DownloadBackup,
  EditBackup,
  EditIgnored,
  IgnoredFiles,
  RestoreFiles,
  RestoreToServer,
  RestoringFiles,
} from '@lodge/shared/backups.ts'
import { FilePath } from '@lodge/shared/files.ts'
import { JobAccepted } from '@lodge/shared/jobs.ts'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../db/cursor.ts'
import { del, get, patch, post, put } from '../../http/endpoint.ts'
import { server } from '../servers/index.ts'
import { backupBudgets } from './budgets.ts'
import { browseBackup } from './contents.ts'
import { createBackup } from './create.ts'
import { deleteBackup } from './delete.ts'
import { downloadBackup } from './download.ts'
import { editBackup } from './edit.ts'
import { changeIgnored } from './ignored.ts'
import { listBackups } from './list.ts'
import { restoreFiles, restoreToServer } from './restore.ts'
import { verifyBackup } from './verify.ts'

export const listServerBackups = get('/api/servers/{id}/backups', {
  summary: 'Backups of a server, the newest first, and what its limits allow',
  access: { who: 'user', on: server, may: 'backups.view', whileSuspended: 'data-export' },
  query: z.object(pageQuery),
  reply: pageOf(Backup).extend({ standing: BackupStanding }),
  handle: ({ ctx, server, query }) => listBackups(ctx, server, query),
})

export const createServerBackup = post('/api/servers/{id}/backups', {
  summary: 'Back up a server, which keeps running',
  access: { who: 'user', on: server, may: 'backups.create' },
  body: CreateBackup,
  reply: JobAccepted.extend({ backupId: z.uuid() }),
  status: 202,
  recorded: 'backed up {target}',
  handle: ({ ctx, server, body }) => createBackup(ctx, server, body),
})

export const editIgnoredFiles = put('/api/servers/{id}/backups/ignored', {
  summary: 'Choose what backups of a server leave out from now on',
  // Leaving everything of value out makes backups as useless as deleting them.
  access: { who: 'user', on: server, may: 'backups.delete' },
  body: EditIgnored,
  reply: IgnoredFiles,
  recorded: 'changed what backups of {target} leave out',
  handle: ({ ctx, server, body }) => changeIgnored(ctx, server, body),
})

export const editServerBackup = patch('/api/servers/{id}/backups/{backupId}', {
  summary: 'Rename, lock or unlock a backup',
  access: { who: 'user', on: server, may: 'backups.create' },
  body: EditBackup,
  reply: Backup,
  recorded: 'changed a backup of {target}',
  handle: ({ ctx, server, params, body }) => editBackup(ctx, server, params.backupId, body),
})

export const deleteServerBackup = del('/api/servers/{id}/backups/{backupId}', {
  summary: 'Delete a backup that is not locked',
  access: { who: 'user', on: server, may: 'backups.delete', stepUp: true },
  reply: JobAccepted,
  status: 202,
  recorded: 'deleted a backup of {target}',
  handle: ({ ctx, server, params }) => deleteBackup(ctx, server, params.backupId),
})

export const browseServerBackup = get('/api/servers/{id}/backups/{backupId}/files', {
  summary: 'Entries of a folder in a backup',
  access: { who: 'user', on: server, may: 'backups.view', whileSuspended: 'data-export' },
  query: z.object({ path: FilePath.default('/') }),
  reply: BackupFolder,
  waits: true,
  handle: ({ ctx, server, params, query }) =>
    browseBackup(ctx, server, params.backupId, query.path),
})

export const downloadServerBackup = get('/api/servers/{id}/backups/{backupId}/download', {
  summary: 'Download a backup or a folder of it as an archive, or a file of it',
  access: {
    who: 'user',
    on: server,
    may: 'backups.download',
    hiddenFromViewers: true,
    whileSuspended: 'data-export',
  },
  query: DownloadBackup,
  streams: 'application/octet-stream',
  waits: true,
  handle: ({ ctx, server, params, query, http }) =>
    downloadBackup(ctx, server, params.backupId, query, http),
})

export const restoreServerBackupFiles = post('/api/servers/{id}/backups/{backupId}/restore-files', {
  summary: 'Put single files and folders of a backup back, in their places or into a folder',
  access: { who: 'user', on: server, may: 'backups.restore' },
  body: RestoreFiles,
  reply: RestoringFiles,
  status: 202,
  recorded: 'restored files of {target} from a backup',
  handle: ({ ctx, server, params, body }) => restoreFiles(ctx, server, params.backupId, body),
})

export const restoreServerBackupTo = post('/api/servers/{id}/backups/{backupId}/restore', {
  summary: "Restore a backup to another server of the same owner's",
  access: { who: 'user', on: server, may: 'backups.restore' },
  body: RestoreToServer,
  reply: JobAccepted,
  status: 202,
  recorded: 'restored a backup of {target} to another server',
  handle: ({ ctx, server, params, body }) => restoreToServer(ctx, server, params.backupId, body),
})

export const verifyServerBackup = post('/api/servers/{id}/backups/{backupId}/verify', {
  summary: 'Read a backup back completely, to know whether it can be restored',
  access: {
    who: 'user',
    on: server,
    may: 'backups.create',
    throttle: backupBudgets.verifyBackup,
  },
  reply: JobAccepted,
  status: 202,
  recorded: 'verified a backup of {target}',
  handle: ({ ctx, server, params }) => verifyBackup(ctx, server, params.backupId),
})
