import { tryLockSession } from '../../db/advisory-locks.ts'
import { connectionBeside } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { type Copy, forgetCopies, makeCopy } from './copy/make-copy.ts'
import { CopyRefused } from './copy/refused.ts'
import type { Repository } from './copy/restic.ts'
import { storedSettings } from './settings.ts'
import { beyond, deleteBackups, deleteOldFailed, endBackup, failedAt } from './store.ts'

export type Needs = Pick<Services, 'db' | 'places'>

/**
 * Makes one backup; only one at a time, across all instances.
 * @throws {CopyRefused} with what the operator can do
 */
export async function perform(
  { db, places }: Needs,
  given: {
    readonly backupId: string
    readonly repository: Repository
    readonly address: string
    readonly signal: AbortSignal
    readonly onProgress: (percent: number, detail: string) => void
  },
): Promise<Copy> {
  const { media } = await storedSettings(db)
  const isKnown = (await beyond(db, given.address, 0)).length > 0
  const client = connectionBeside(db)
  await client.connect()
  try {
    if (!(await tryLockSession(client, 'panelBackup')))
      throw new CopyRefused('conflict', 'Another backup of the panel is being made: wait for it')
    return await makeCopy({
      ...{ ...given, client, places, media, isKnown },
      caFile: places.authorities,
    })
  } catch (error) {
    throw inWords(error)
  } finally {
    await client.end()
  }
}

function inWords(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code ?? '')) return error
  return new CopyRefused(
    'storage_unavailable',
    `The control plane has no access to ${path ?? 'a file of its own'}: give its account access to it`,
    { cause: error },
  )
}

/** Completes a backup, and rearms the notification about missing ones. */
export const complete = (db: Services['db'], backupId: string, copy: Copy): Promise<boolean> =>
  endBackup(db, backupId, { ...copy, state: 'good', finishedAt: new Date() })

/** Deletes backups beyond the number to keep at this address, and what failed ones left there. */
export async function forgetOld(
  { db, places }: Needs,
  repository: Repository,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  const { keep } = await storedSettings(db)
  const old = await beyond(db, address, keep)
  const gone = [...old, ...(await failedAt(db, address))]
  if (gone.length > 0)
    await forgetCopies({ places, repository, caFile: places.authorities, signal }, gone)
  if (old.length > 0) await deleteBackups(db, old)
  await deleteOldFailed(db)
}
