import { readNote, removeNote, type StorageNote, writeNote } from '@lodge/driver/storage/note.ts'
import {
  type SharedStorage,
  type SharedStorages,
  STORAGE_UIDS,
} from '@lodge/driver/storage/shared-storages.ts'
import { pathsIn, type ServerPaths, serverPaths } from './layout.ts'
import { type Numbers, numbersIn } from './numbers.ts'

/** Where the data of each server lie: on the node's own disk, or on a shared storage. */
export interface DataPlaces {
  paths(serverId: string): ServerPaths
  /** Those of the node's own disk, wherever the data lie. */
  ownPaths(serverId: string): ServerPaths
  /** What says that the data lie on a shared storage; null: on the node's own disk. */
  noted(serverId: string): StorageNote | null
  /** Notes that the data lie on this storage. Throws `storage_away` while it is not there. */
  put(serverId: string, storageId: string): Promise<SharedStorage>
  /** Notes that the data lie on the node's own disk. */
  putOnDisk(serverId: string): Promise<void>
  /** The storage that has the data, which is there; null for the node's own disk. Throws the same. */
  storageOf(serverId: string): Promise<SharedStorage | null>
  forget(serverId: string): void
}

export function dataPlaces(dataRoot: string, storages: SharedStorages): DataPlaces {
  const known = new Map<string, StorageNote | null>()

  const noted = (serverId: string): StorageNote | null => {
    const before = known.get(serverId)
    if (before !== undefined) return before
    const found = readNote(serverPaths(dataRoot, serverId).storage)
    known.set(serverId, found)
    return found
  }

  async function put(serverId: string, storageId: string): Promise<SharedStorage> {
    const storage = await storages.find(storageId)
    const before = noted(serverId)
    const note = { id: storageId, home: storage.folder(serverId) }
    // The operator may have mounted it elsewhere since.
    if (before?.id === note.id && before.home === note.home) return storage
    await writeNote(serverPaths(dataRoot, serverId).storage, note)
    known.set(serverId, note)
    return storage
  }

  return {
    paths(serverId) {
      const own = serverPaths(dataRoot, serverId)
      const note = noted(serverId)
      return note ? pathsIn(own.folder, note.home) : own
    },
    ownPaths: (serverId) => serverPaths(dataRoot, serverId),
    noted,
    put,
    async putOnDisk(serverId) {
      await removeNote(serverPaths(dataRoot, serverId).storage)
      known.set(serverId, null)
    },
    async storageOf(serverId) {
      const note = noted(serverId)
      return note && (await put(serverId, note.id))
    },
    forget: (serverId) => void known.delete(serverId),
  }
}

/** The numbers of all servers on a storage. Other nodes change them, too, so nothing is remembered. */
export const numbersOn = ({ numbers }: SharedStorage): Numbers =>
  numbersIn(numbers, STORAGE_UIDS - 1)

/** Whether the data lie on a shared storage. */
export const isShared = ({ folder, home }: ServerPaths): boolean => folder !== home
