import type { OnProgress } from '../work.ts'

/**
 * Stores copies of a server's data next to it. `create` and `restore` require a stopped workload:
 * they throw `not_stopped` otherwise, and block a start (`start` waits) until they are done, so
 * that no copy is taken of data in use.
 */
export interface Snapshots {
  /**
   * Copies all data or nothing; of a machine its disks, firmware variables and TPM state. If the id
   * already exists, returns that snapshot. Throws `not_stopped`, `disk_full`.
   */
  create(
    serverId: string,
    snapshotId: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<SnapshotInfo>
  /**
   * Restores the data after verifying the copy. The current state is untouched when this fails;
   * disks added after the snapshot are kept as they are. Throws `not_found`, `copy_damaged`.
   */
  restore(
    serverId: string,
    snapshotId: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  /** Works while the workload runs. Does nothing when the snapshot does not exist. */
  delete(serverId: string, snapshotId: string): Promise<void>
  /** Complete snapshots only. Works while the workload runs. */
  list(serverId: string): Promise<readonly SnapshotInfo[]>
}

export interface SnapshotInfo {
  readonly snapshotId: string
  readonly createdAt: Date
  /**
   * Size of the snapshot in bytes on the node's disk, an upper bound: blocks shared with the
   * machine take no extra space until the machine overwrites them.
   */
  readonly sizeBytes: number
  /** Total virtual size of the disks, MiB. */
  readonly diskMb: number
  readonly has: { readonly firmware: boolean; readonly tpm: boolean }
}
