import type { OnProgress } from '../work.ts'

/** Where the data of a server may lie: on a shared storage, by its id, or on the disk of the node (null). */
export type StorageOrDisk = string | null

/**
 * Changes the storage of a server on its node. What is copied lies beside the present data until it is put
 * in place, and the former data stay until they are dropped. `apply` of a stopped server puts in place
 * what its spec names, if that is whole.
 */
export interface Relocation {
  /**
   * Copies the data of a stopped server to another storage and verifies the copy; until it returns,
   * nothing there counts. Does nothing if the data lie there. Throws `not_stopped`, `storage_away`,
   * `disk_full`, `copy_damaged`.
   */
  copy(
    serverId: string,
    to: StorageOrDisk,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  /**
   * Makes a whole copy the data of a stopped server. Does nothing if it is. Throws `not_stopped`,
   * `storage_away`, and `disk_missing` where no copy is whole.
   */
  place(serverId: string, on: StorageOrDisk): Promise<void>
  /**
   * Deletes a copy that is not in place, whole or not, also of a server that is gone, with the folder and
   * the images of the server on that storage. Nothing puts them in place meanwhile. Throws
   * `not_permitted` for the data in place, `storage_away`.
   */
  drop(serverId: string, on: StorageOrDisk): Promise<void>
}
