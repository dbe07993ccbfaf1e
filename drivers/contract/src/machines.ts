import type { Duplex, Readable } from 'node:stream'
import type { MachineManifest } from '@lodge/shared/machine-copy.ts'
import type { MachineSpec, MediumRef } from '@lodge/shared/machine-spec.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'
import type { OnProgress, ServerRef } from './driver.ts'

/**
 * What a driver does with virtual machines beyond running them. As with every method of a driver, each
 * may be repeated after a crash at any moment, and one that was aborted leaves nothing half-made.
 *
 * Methods that copy need a machine that does not run; they throw `not_stopped` otherwise, and keep it
 * from starting (`start` waits) until they are done.
 */
export interface Machines {
  /** What this node can do for virtual machines. Never throws; what is missing is told with its remedy. */
  report(signal: AbortSignal): Promise<VirtualizationReport>

  /**
   * Copies disks, firmware variables and TPM state together, or nothing. With an id that is there
   * already it answers what is there. Throws `not_stopped`, `disk_full`.
   */
  createSnapshot(
    serverId: string,
    snapshotId: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<SnapshotInfo>
  /**
   * Makes the machine what it was, after the copy was verified. The present state is untouched when this
   * fails; disks that the machine got later stay as they are. Throws `not_found`, `copy_damaged`.
   */
  restoreSnapshot(
    serverId: string,
    snapshotId: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  /** Also while the machine runs. Nothing happens when it is not there. */
  deleteSnapshot(serverId: string, snapshotId: string): Promise<void>
  /** Whole ones only. Also while the machine runs. */
  listSnapshots(serverId: string): Promise<readonly SnapshotInfo[]>

  /** A connection to the machine's screen (RFB 3.8, no security). Throws `not_running`. */
  openScreen(serverId: string, signal: AbortSignal): Promise<Duplex>
  /** The screen as it is now: PNG. Throws `not_running`. */
  screenshot(serverId: string, signal: AbortSignal): Promise<Uint8Array>

  /**
   * Fetches a medium into the node's cache and verifies fingerprint, size and kind, unless it is there.
   * `apply` and `install` do this by themselves. Throws `medium_unavailable`, `medium_invalid`.
   */
  cacheMedium(medium: MediumRef, onProgress: OnProgress, signal: AbortSignal): Promise<void>
  /** Takes a medium out of the cache unless a machine has it in its drive. */
  dropMedium(sha256: string): Promise<void>

  /** Tells what a copy of the machine consists of, with fingerprints of every file. */
  exportManifest(
    serverId: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<MachineManifest>
  /** Bytes of one file of the manifest from `offset` on. Throws `not_found`, `not_stopped`. */
  readExport(serverId: string, name: string, offset: number, signal: AbortSignal): Promise<Readable>
  /**
   * Makes the machine here from a copy: fetches what is missing, verifies every fingerprint, and only
   * then defines it, stopped. Repeated, it goes on with what it has. Until it has returned, `recover`
   * does not name the machine and `remove` takes everything away. Throws `copy_damaged`, `disk_full`.
   */
  importMachine(
    server: ServerRef,
    spec: MachineSpec,
    manifest: MachineManifest,
    read: (name: string, offset: number, signal: AbortSignal) => Promise<Readable>,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>

  /** How much room disks, snapshots and the rest of the machine take on this node. */
  space(serverId: string): Promise<MachineSpace>
}

/** The right to boot a guest once, within moments; the answer to a question to the control plane. */
export interface BootPermit {
  /** Names the question. */
  readonly attempt: string
  readonly nodeEpoch: number
  readonly placementGeneration: number
  /** On the clock of `os.uptime()`, in milliseconds: it goes on while the machine sleeps. */
  readonly validUntilUptimeMs: number
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

export interface MachineSpace {
  readonly disks: readonly {
    readonly id: string
    readonly sizeMb: number
    readonly usedBytes: number
  }[]
  readonly snapshotBytes: number
  readonly otherBytes: number
}
