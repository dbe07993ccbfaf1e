import { lstat, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageHolder } from '@lodge/shared/shared-storage.ts'
import { DriverError } from '../driver.ts'
import { syncFolder, writeDurably } from '../durable.ts'
import type { SharedStorage } from './shared-storages.ts'

/** The customer's files, in the server's folder on the storage. */
export const filesOf = (storage: SharedStorage, serverId: string): string =>
  join(storage.folder(serverId), 'data')

const recordOf = (storage: SharedStorage, serverId: string): string =>
  join(storage.folder(serverId), 'holder.json')

/** @throws when there is a record that cannot be read: then nobody knows whose the files are */
async function readHolder(
  storage: SharedStorage,
  serverId: string,
): Promise<StorageHolder | undefined> {
  const text = await readFile(recordOf(storage, serverId), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  return text === undefined ? undefined : StorageHolder.parse(JSON.parse(text))
}

/** Whether the files belong to a later placement than this one, or to the same on another node. */
const isPast = (holder: StorageHolder | undefined, own: StorageHolder): boolean =>
  holder !== undefined &&
  (holder.placementGeneration > own.placementGeneration ||
    (holder.placementGeneration === own.placementGeneration && holder.nodeId !== own.nodeId))

/**
 * Takes a server's files for this placement, before anything runs on them: from then on no node starts
 * it on them under an earlier one. Idempotent.
 * @throws {DriverError} not_permitted: a later placement has them
 */
export async function takeFiles(
  storage: SharedStorage,
  serverId: string,
  own: StorageHolder,
): Promise<void> {
  const before = await readHolder(storage, serverId)
  if (isPast(before, own))
    throw new DriverError('not_permitted', 'Another node has the files of the server since.', {
      retryable: true,
    })
  if (before?.placementGeneration === own.placementGeneration) return
  await mkdir(storage.folder(serverId), { recursive: true, mode: 0o711 })
  await writeDurably(recordOf(storage, serverId), JSON.stringify(own))
  await syncFolder(storage.folder(serverId))
}

/** Whether this placement may delete the files: no later one has them. */
export async function mayDelete(
  storage: SharedStorage,
  serverId: string,
  own: StorageHolder,
): Promise<boolean> {
  return !isPast(await readHolder(storage, serverId), own)
}

/**
 * Of a server that comes from another node.
 * @throws {DriverError} disk_missing: empty files in their place would hide the loss
 */
export async function requireFiles(storage: SharedStorage, serverId: string): Promise<void> {
  const found = await lstat(filesOf(storage, serverId)).catch(() => null)
  if (found?.isDirectory()) return
  throw new DriverError(
    'disk_missing',
    'The files of the server are missing on its shared storage.',
  )
}
