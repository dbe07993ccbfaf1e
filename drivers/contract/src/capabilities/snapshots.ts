import type { OnProgress } from '../work.ts'

/**
 * Keeps copies of a server's data beside it. `create` and `restore` need a workload that does not run:
 * they throw `not_stopped` otherwise, and keep it from starting (`start` waits) until they are done.
 */
export interface Snapshots {
  /**
   * Copies all data together, or nothing: of a machine its disks, firmware variables and TPM state. With
   * an id that is there already it answers what is there. Throws `not_stopped`, `disk_full`.
   */
  create(
    serverId: string,
    snapshotId: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<SnapshotInfo>
  /**
   * Makes the data what they were, after the copy was verified. The present state is untouched when this
   * fails; disks that a machine got later stay as they are. Throws `not_found`, `copy_damaged`.
   */
  restore(
    serverId: string,
    snapshotId: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  /** Also while the workload runs. Nothing happens when it is not there. */
  delete(serverId: string, snapshotId: string): Promise<void>
  /** Whole ones only. Also while the workload runs. */
  list(serverId: string): Promise<readonly SnapshotInfo[]>
}

export interface SnapshotInfo {
  readonly snapshotId: string
  readonly createdAt: Date
  /**
   * Bytes on the node's disk that it consists of: what it takes at most. Where it shares blocks with the
   * machine it takes nothing at first, and all of this once the machine has changed everything.
   */
  readonly sizeBytes: number
  /** Virtual sizes of the disks, MiB. */
  readonly diskMb: number
  readonly has: { readonly firmware: boolean; readonly tpm: boolean }
}
