import type { BackupStanding } from '@lodge/shared/backups.ts'
import { valueInPlan } from '@lodge/shared/limits/of-plan-server.ts'
import type { Db } from '../../db/database.ts'
import type { UserRow } from '../customers/index.ts'
import { capsOf } from './caps.ts'
import { planTermsOf } from './plan-server-store.ts'
import { copiesOf } from './usage-store.ts'

/** How many copies a server may have and has: by its plan, or else by the limits of its owner. */
export async function copyStanding(
  db: Db,
  owner: UserRow,
  serverId: string,
): Promise<Pick<BackupStanding, 'used' | 'max'>> {
  const terms = await planTermsOf(db, serverId)
  if (terms) {
    const { maxServerBackups: backups, maxBackupStorageMb: storageMb } = terms.used
    const most = (key: 'maxServerBackups' | 'maxBackupStorageMb'): number | null => {
      const value = owner.role === 'admin' ? undefined : valueInPlan(terms.limits, key)
      return typeof value === 'number' ? value : null
    }
    return {
      used: { serverBackups: backups, backups, storageMb },
      max: {
        serverBackups: most('maxServerBackups'),
        backups: null,
        storageMb: most('maxBackupStorageMb'),
      },
    }
  }
  const used = await copiesOf(db, owner.id, serverId)
  const caps = await capsOf(db, owner, ['maxServerBackups', 'maxBackups', 'maxBackupStorageMb'])
  return {
    used: { serverBackups: used.ofServer, backups: used.count, storageMb: used.storageMb },
    max: {
      serverBackups: caps.maxServerBackups,
      backups: caps.maxBackups,
      storageMb: caps.maxBackupStorageMb,
    },
  }
}
