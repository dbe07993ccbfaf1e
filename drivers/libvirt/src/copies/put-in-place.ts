import type { StorageOrDisk } from '@lodge/driver/capabilities/relocation.ts'
import { isWhole, markWhole, notWhole, removeNote } from '@lodge/driver/storage/note.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { readOwnData } from '../data/data.ts'
import { machinePaths, noteIn, pathsOn } from '../data/layout.ts'
import type { Parts } from '../parts.ts'
import { bringTpm, keepTpm } from './tpm-state.ts'

/**
 * Has a stopped machine lie where a whole copy of it is. The caller holds its lock.
 * @param uuid that of the machine, if it is defined
 * @throws {DriverError} disk_missing where none is whole; storage_away
 */
export async function putInPlace(
  parts: Parts,
  serverId: string,
  uuid: string | null,
  on: StorageOrDisk,
): Promise<void> {
  const { places, settings } = parts
  const paths = machinePaths(settings.dataRoot, serverId)
  if ((paths.storage?.id ?? null) === on) return void (await places.require(serverId))
  if (on === null) {
    if (!(await isWhole(paths.folder))) throw notWhole()
    // Until the note is gone, a boot links the state of the TPM on the storage again.
    if (uuid) await bringTpm(parts, pathsOn(settings.dataRoot, serverId, null), uuid)
    await removeNote(noteIn(paths.folder))
    return
  }
  const there = pathsOn(settings.dataRoot, serverId, await places.noteFor(serverId, on))
  if (!(await exists(there.contents))) throw notWhole()
  if (paths.storage === null && (await readOwnData(paths))) {
    // The next boot replaces it by a link to that on the storage.
    if (uuid) await keepTpm(parts, paths, uuid)
    await markWhole(paths.folder)
  }
  await places.put(serverId, on)
}

/** The same as a spec says, of a machine that is not running. */
export async function followStorage(
  parts: Parts,
  serverId: string,
  uuid: string | null,
  wanted: string | undefined,
): Promise<void> {
  const { places, settings } = parts
  const paths = machinePaths(settings.dataRoot, serverId)
  if (wanted === undefined) {
    // Without a copy on the disk, what an earlier spec named stays in place.
    if (paths.storage !== null && (await isWhole(paths.folder)))
      await putInPlace(parts, serverId, uuid, null)
    return
  }
  const isNew = paths.storage === null && (await readOwnData(paths)) === null
  if (isNew) await places.put(serverId, wanted)
  else await putInPlace(parts, serverId, uuid, wanted)
}
