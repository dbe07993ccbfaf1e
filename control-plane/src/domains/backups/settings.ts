import {
  type BackupSettingsView,
  type EditBackupSettings,
  StoredBackupSettings,
} from '@lodge/shared/backups.ts'
import type { Area } from '../../catalogue.ts'
import type { Ctx } from '../../context.ts'
import type { Vault } from '../../secrets/vault.ts'
import { lockSettings, readSettings, writeSettings } from '../settings/index.ts'
import { describeBucket, sealedBucket } from './bucket.ts'
import { requireStorageNodes } from './storage-nodes.ts'

export const backupSettings: Area<StoredBackupSettings> = {
  name: 'backups',
  schema: StoredBackupSettings,
  initial: {
    place: 'node',
    downloads: true,
    keepScheduled: 7,
    storageNodeIds: [],
    protection: null,
    verify: 'monthly',
    s3: null,
  },
}

const PLACE = { table: 'settings', id: backupSettings.name, column: 'secretAccessKey' }

/** Decrypts the secret key for immediate use. */
export const openSecretKey = (vault: Vault, sealed: string): string =>
  vault.open(Buffer.from(sealed, 'base64'), PLACE)

export const showBackupSettings = async (ctx: Ctx): Promise<BackupSettingsView> =>
  describe(await readSettings(ctx.db, backupSettings))

const describe = ({ s3, ...rest }: StoredBackupSettings): BackupSettingsView => ({
  ...rest,
  s3: describeBucket(s3),
})

export function changeBackupSettings(
  ctx: Ctx,
  { s3, ...rest }: EditBackupSettings,
): Promise<BackupSettingsView> {
  return ctx.transaction(async (ctx) => {
    const present = await lockSettings(ctx.db, backupSettings)
    await requireStorageNodes(ctx, rest.storageNodeIds)
    const stored: StoredBackupSettings = {
      ...rest,
      s3: sealedBucket(ctx.vault, PLACE, s3, present.s3),
    }
    return describe(await writeSettings(ctx.db, backupSettings, stored))
  })
}
