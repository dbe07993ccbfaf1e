import type { BackupStore } from '@lodge/driver/backup-store.ts'
import { DriverError } from '@lodge/driver/driver.ts'

const refuse = async (): Promise<never> => {
  throw new DriverError('unsupported', 'This node keeps no backups.')
}

/** Stands in where a node keeps no backups. */
export const noBackupStore: BackupStore = {
  complaint: async () => 'this node keeps no backups',
  create: refuse,
  restore: refuse,
  sizeOf: refuse,
  list: refuse,
  archive: refuse,
  forget: refuse,
  prune: refuse,
}
