import type { Backup } from '@lodge/shared/backups.ts'
import { MIB } from '@lodge/shared/units.ts'
import type { ListedBackup } from './store.ts'

export function describeBackup({ backup, place, keptOnNode, createdBy }: ListedBackup): Backup {
  const { serverId } = backup
  if (serverId === null) throw new Error('a listed backup has a server')
  return {
    id: backup.id,
    serverId,
    name: backup.name,
    state: backup.state,
    locked: backup.locked,
    scheduled: backup.scheduled,
    byHost: backup.byHost,
    place,
    keptOnNode,
    sizeBytes: backup.sizeBytes ?? (backup.state === 'creating' ? backup.reservedMb * MIB : null),
    storedBytes: backup.storedBytes,
    fileCount: backup.fileCount,
    takenWhileRunning: backup.takenWhileRunning,
    ignored: [...backup.ignored],
    createdAt: backup.createdAt.toISOString(),
    finishedAt: backup.finishedAt?.toISOString() ?? null,
    createdBy,
    failure: backup.failure,
    verifiedAt: backup.verifiedAt?.toISOString() ?? null,
    damaged:
      backup.damagedAt === null
        ? null
        : { at: backup.damagedAt.toISOString(), detail: backup.damage ?? '' },
  }
}
