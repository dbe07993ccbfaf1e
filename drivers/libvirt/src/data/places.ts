import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { filesOf } from '@lodge/driver/storage/holder.ts'
import { type StorageNote, writeNote } from '@lodge/driver/storage/note.ts'
import type { SharedStorage } from '@lodge/driver/storage/shared-storages.ts'
import type { Settings } from '../options.ts'
import { machinePaths, noteIn } from './layout.ts'

/** Where the disks of each machine lie: on the node's own disk, or on a shared storage. */
export interface MachinePlaces {
  /**
   * Notes that the machine lies on this storage.
   * @throws {DriverError} storage_away while it is not there
   */
  put(serverId: string, storageId: string): Promise<SharedStorage>
  /**
   * What that would note.
   * @throws {DriverError} storage_away while it is not there
   */
  noteFor(serverId: string, storageId: string): Promise<StorageNote>
  /**
   * Returns once what the machine lies on is known to be there, where its paths say: null for the
   * node's own disk. Called before anything touches its files.
   * @throws {DriverError} storage_away
   */
  require(serverId: string): Promise<SharedStorage | null>
}

export function machinePlaces({ dataRoot, storages }: Settings): MachinePlaces {
  function noteOn(serverId: string, found: SharedStorage) {
    const { folder, storage: before } = machinePaths(dataRoot, serverId)
    const home = filesOf(found, serverId)
    const note: StorageNote = {
      ...{ id: found.id, home, own: before?.own ?? randomUUID() },
      ...(found.pool && { pool: found.pool }),
    }
    return { folder, before, note }
  }
  async function put(serverId: string, storageId: string): Promise<SharedStorage> {
    const found = await storages.find(storageId)
    const { folder, before, note } = noteOn(serverId, found)
    // The operator may have mounted it elsewhere since, or changed the way to its pool.
    if (!isDeepStrictEqual(before, note)) await writeNote(noteIn(folder), note)
    return found
  }
  return {
    put,
    noteFor: async (serverId, storageId) => noteOn(serverId, await storages.find(storageId)).note,
    async require(serverId) {
      const { storage } = machinePaths(dataRoot, serverId)
      return storage && (await put(serverId, storage.id))
    },
  }
}
