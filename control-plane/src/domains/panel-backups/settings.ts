import {
  type EditPanelBackupSettings,
  type PanelBackupSettings,
  StoredPanelBackupSettings,
} from '@lodge/shared/panel-backups.ts'
import type { Area } from '../../catalogue.ts'
import type { Ctx } from '../../context.ts'
import { lockScope } from '../../db/advisory-locks.ts'
import { type Db, inOneTransaction } from '../../db/database.ts'
import type { Vault } from '../../secrets/vault.ts'
import { describeBucket, sealedBucket } from '../backups/index.ts'
import { readSettings, writeSettings } from '../settings/index.ts'
import type { Repository } from './copy/restic.ts'
import { makeRecoveryKey, openRecoveryKey, sealRecoveryKey } from './recovery-key.ts'

/** Not shown with the other areas, because it also stores internal notes. */
const area: Area<StoredPanelBackupSettings> = {
  name: 'panel-backups',
  schema: StoredPanelBackupSettings,
  initial: {
    schedule: null,
    place: 'folder',
    folder: null,
    keep: 14,
    media: true,
    s3: null,
    recoveryKey: null,
    recoveryKeyShown: false,
    scheduledSince: null,
    toldOverdueAt: null,
  },
}

const SECRET_KEY = { table: 'settings', id: area.name, column: 'secretAccessKey' }

export const storedSettings = (db: Db): Promise<StoredPanelBackupSettings> => readSettings(db, area)

/** Serialized by a lock; call it in a transaction. */
export async function noteInSettings(
  db: Db,
  change: (present: StoredPanelBackupSettings) => StoredPanelBackupSettings,
): Promise<StoredPanelBackupSettings> {
  await lockScope(db, 'panel backups')
  return writeSettings(db, area, change(await readSettings(db, area)))
}

export const showSettings = async (ctx: Ctx): Promise<PanelBackupSettings> =>
  describe(await storedSettings(ctx.db))

function describe({
  schedule,
  place,
  folder,
  keep,
  media,
  s3,
}: StoredPanelBackupSettings): PanelBackupSettings {
  return { schedule, place, folder, keep, media, s3: describeBucket(s3) }
}

export const changeSettings = (
  ctx: Ctx,
  { s3, ...rest }: EditPanelBackupSettings,
): Promise<PanelBackupSettings> =>
  ctx.transaction(async (ctx) => {
    const stored = await noteInSettings(ctx.db, (present) => {
      const isSame = JSON.stringify(present.schedule) === JSON.stringify(rest.schedule)
      return {
        ...present,
        ...rest,
        s3: sealedBucket(ctx.vault, SECRET_KEY, s3, present.s3),
        recoveryKey: present.recoveryKey ?? sealRecoveryKey(ctx.vault, makeRecoveryKey()),
        scheduledSince: isSame ? present.scheduledSince : ctx.now.toISOString(),
        toldOverdueAt: isSame ? present.toldOverdueAt : null,
      }
    })
    return describe(stored)
  })

/** The key that decrypts the backups, created on first use. */
export const haveRecoveryKey = (db: Db, vault: Vault): Promise<string> =>
  recoveryKeyOf(db, vault, {})

/** The same, for somebody who writes it down. */
export const showRecoveryKey = (db: Db, vault: Vault): Promise<string> =>
  recoveryKeyOf(db, vault, { recoveryKeyShown: true })

async function recoveryKeyOf(
  db: Db,
  vault: Vault,
  change: Partial<StoredPanelBackupSettings>,
): Promise<string> {
  const { recoveryKey } = await inOneTransaction(db, (tx) =>
    noteInSettings(tx, (present) => ({
      ...present,
      recoveryKey: present.recoveryKey ?? sealRecoveryKey(vault, makeRecoveryKey()),
      ...change,
    })),
  )
  return openRecoveryKey(vault, recoveryKey ?? '')
}

/** Where backups are stored now; null before that is set. */
export function addressOf({ place, folder, s3 }: StoredPanelBackupSettings): string | null {
  if (place === 'folder') return folder
  return s3 && [s3.endpoint.replace(/\/+$/, ''), s3.bucket, s3.prefix].filter(Boolean).join('/')
}

/** The repository of the settings with its credentials; null before one is set. */
export async function openRepository(db: Db, vault: Vault): Promise<Repository | null> {
  const recoveryKey = await haveRecoveryKey(db, vault)
  const { place, folder, s3 } = await storedSettings(db)
  if (place === 'folder') return folder === null ? null : folderOf(recoveryKey, folder)
  if (!s3) return null
  const secretAccessKey = vault.open(Buffer.from(s3.secretAccessKey, 'base64'), SECRET_KEY)
  return { recoveryKey, location: { ...s3, kind: 's3', secretAccessKey } }
}

export const folderOf = (recoveryKey: string, folder: string): Repository => ({
  recoveryKey,
  location: { kind: 'folder', folder },
})
