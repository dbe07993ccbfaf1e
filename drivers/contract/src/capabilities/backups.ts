import type { OnProgress } from '../work.ts'

/**
 * Exchanges the data of a server for restored data. At every moment, also after a crash, exactly
 * one of the two is in place, and the other is kept until `settle`.
 */
export interface Backups {
  /**
   * The data folder, mounted and whole, for reading.
   * @returns its absolute path
   */
  open(serverId: string): Promise<string>
  /**
   * Makes an empty folder for restored data, beside the data and with the same limit; an earlier
   * one is deleted. Throws `disk_full` when the node has no room for `sizeBytes`.
   * @returns its absolute path
   */
  stage(
    serverId: string,
    restoreId: string,
    sizeBytes: number,
    signal: AbortSignal,
  ): Promise<string>
  /**
   * Gives staged data to the server's user and makes it durable. `swap` requires it.
   * @param ignored what the backup left out on purpose, for `carry`
   */
  complete(
    serverId: string,
    restoreId: string,
    signal: AbortSignal,
    ignored?: readonly string[],
  ): Promise<void>
  /**
   * Copies what the backup left out on purpose from the present data of a stopped server into what was
   * restored from it. Does nothing when this restore is in place already. A driver whose backups have
   * no single files leaves it out. Throws `disk_full`, and nothing is lost.
   */
  carry?(
    serverId: string,
    restoreId: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  /**
   * Exchanges the data of a stopped server for what was staged. Does nothing when this restore is
   * in place already. Throws `not_stopped` while a file is open, `not_found` without staged data.
   */
  swap(serverId: string, restoreId: string): Promise<void>
  /** Undoes `swap`; does nothing when this restore is not in place. Throws `not_stopped`. */
  swapBack(serverId: string, restoreId: string): Promise<void>
  /**
   * Copies paths of staged data into the data while the server may run: into their own places, or
   * at the same paths below the folder `into`. Files that are there and not staged stay. What it
   * replaces is kept in the folder `keep`, at the same paths, or lost. Throws `not_found`, `disk_full`.
   * @returns how many files are in that folder
   */
  put(
    serverId: string,
    restoreId: string,
    what: {
      readonly paths: readonly string[]
      readonly into: string | null
      readonly keep: string | null
    },
    signal: AbortSignal,
  ): Promise<number>
  /**
   * Deletes what this restore staged, and the former data if it is in place. It may come late: what
   * another restore staged since stays.
   */
  settle(serverId: string, restoreId: string): Promise<void>
  /**
   * An unchanging copy of the data as of now; null where a driver makes none, because the data folder
   * can be read while the server runs and the node's file system clones nothing at once.
   */
  freeze(serverId: string, onProgress: OnProgress, signal: AbortSignal): Promise<FrozenData | null>
}

export interface FrozenData {
  readonly folder: string
  /** The server ran, and nobody asked what runs in it to write everything out first. */
  readonly takenWhileRunning: boolean
  release(): Promise<void>
}
