import { inOneTransaction } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { noteBegin } from './begin.ts'
import type { Copy } from './copy/make-copy.ts'
import { CopyRefused } from './copy/refused.ts'
import type { Repository } from './copy/restic.ts'
import { complete, forgetOld, perform } from './perform.ts'
import { openRecoveryKey } from './recovery-key.ts'
import {
  addressOf,
  folderOf,
  haveRecoveryKey,
  openRepository,
  showRecoveryKey,
  storedSettings,
} from './settings.ts'
import { endBackup } from './store.ts'

export interface MadeNow extends Copy {
  readonly address: string
  /** Shown once to the person who made it; not on scheduled runs, which would write it into logs. */
  readonly recoveryKey: string | null
}

/**
 * Makes a backup in this process, whether or not control planes are running.
 * @param given.folder instead of the place in the settings
 * @throws {CopyRefused}
 */
export async function backUpNow(
  services: Pick<Services, 'db' | 'vault' | 'places'>,
  given: {
    readonly folder: string | undefined
    readonly signal: AbortSignal
    readonly onProgress: (percent: number, detail: string) => void
  },
): Promise<MadeNow> {
  const { db, vault } = services
  await requireOwnKey(db, vault)
  const { repository, address, place } = await whereTo(db, vault, given.folder)
  const backupId = await inOneTransaction(db, (tx) =>
    noteBegin(tx, { scheduled: false, place, address }),
  )
  if (backupId === null)
    throw new CopyRefused('conflict', 'Another backup of the panel is being made: wait for it')
  try {
    const copy = await perform(services, { ...given, backupId, repository, address })
    if (!(await complete(db, backupId, copy)))
      throw new CopyRefused('conflict', 'Another backup was begun meanwhile: back up again')
    await forgetOld(services, repository, address, given.signal)
    const isKnown = (await storedSettings(db)).recoveryKeyShown
    return { ...copy, address, recoveryKey: isKnown ? null : await showRecoveryKey(db, vault) }
  } catch (error) {
    const detail = error instanceof CopyRefused ? error.message : 'The program ended with an error'
    await endBackup(db, backupId, {
      state: 'failed',
      failure: { code: 'panel_backup_failed', detail },
      finishedAt: new Date(),
    })
    throw error
  }
}

/**
 * Requires the panel's own master key: secrets encrypted with another one would be lost with the
 * backup.
 */
async function requireOwnKey(db: Services['db'], vault: Services['vault']): Promise<void> {
  const { recoveryKey } = await storedSettings(db)
  try {
    if (recoveryKey !== null) openRecoveryKey(vault, recoveryKey)
  } catch (error) {
    throw new CopyRefused(
      'invalid',
      "The master key here does not open this panel's database: set LODGE_DATA, and LODGE_MASTER_KEY if its service has it, to those of the panel. Nothing was backed up.",
      { cause: error },
    )
  }
}

async function whereTo(
  db: Services['db'],
  vault: Services['vault'],
  folder: string | undefined,
): Promise<{ repository: Repository; address: string; place: 'folder' | 's3' }> {
  if (folder !== undefined) {
    const repository = folderOf(await haveRecoveryKey(db, vault), folder)
    return { repository, address: folder, place: 'folder' }
  }
  const repository = await openRepository(db, vault)
  const settings = await storedSettings(db)
  const address = addressOf(settings)
  if (!repository || address === null)
    throw new CopyRefused(
      'invalid',
      'The settings do not say where backups of the panel go: name a folder with --to',
    )
  return { repository, address, place: settings.place }
}
