import type { LimitKey } from './limits/keys.ts'
import type { ServerPermissionName } from './server-permission-list.ts'

/**
 * Features that limits and rights already have words for, and that are not built: the panel does not offer
 * what has no effect. A feature is taken out of here with its first endpoint.
 */
const LATER = {
  files: ['files.read', 'files.write', 'files.delete', 'files.sftp', 'maySftp', 'servers.files'],
  backups: [
    'backups.view',
    'backups.create',
    'backups.restore',
    'backups.delete',
    'backups.download',
    'maxBackups',
    'maxBackupStorageMb',
    'maxServerBackups',
    'servers.backups',
  ],
  schedules: [
    'schedules.view',
    'schedules.manage',
    'schedules.run',
    'maxServerSchedules',
    'maySchedules',
  ],
  addons: ['addons.manage', 'mayAddons'],
} as const satisfies Readonly<
  Record<string, readonly (LimitKey | ServerPermissionName | 'servers.files' | 'servers.backups')[]>
>

export const LATER_FEATURES = Object.keys(LATER)
const later: ReadonlySet<string> = new Set(Object.values(LATER).flat())

/** Whether a limit, a right on servers or a permission has an effect today. */
export const isOffered = (name: string): boolean => !later.has(name)
