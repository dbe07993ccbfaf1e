import type { Readable } from 'node:stream'
import type { MachineManifest } from '@lodge/shared/machine-copy.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { OnProgress, ServerRef } from '../work.ts'

/** Reads one file of a copy, starting at `offset`. */
export type ReadCopy = (name: string, offset: number, signal: AbortSignal) => Promise<Readable>

/**
 * Moves a server with all its data to another node. `manifest` and `read` require a stopped
 * workload: they throw `not_stopped` otherwise, and block a start (`start` waits) until they are
 * done.
 */
export interface Transfer<Spec extends WorkloadSpec> {
  /** Lists the files of a copy of the server, with a fingerprint of each. */
  manifest(serverId: string, onProgress: OnProgress, signal: AbortSignal): Promise<MachineManifest>
  /** Reads one file of the manifest, starting at `offset`. Throws `not_found`, `not_stopped`. */
  read(serverId: string, name: string, offset: number, signal: AbortSignal): Promise<Readable>
  /**
   * Creates the server here from a copy: downloads what is missing, verifies every fingerprint, and
   * only then defines it, stopped. A repeated call resumes. Until it returns, `recover` omits the
   * server and `remove` deletes everything. Throws `copy_damaged`, `disk_full`.
   */
  import(
    server: ServerRef,
    spec: Spec,
    manifest: MachineManifest,
    read: ReadCopy,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
}
