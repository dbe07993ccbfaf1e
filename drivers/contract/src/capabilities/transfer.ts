import type { Readable } from 'node:stream'
import type { MachineManifest } from '@lodge/shared/machine-copy.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { OnProgress, ServerRef } from '../work.ts'

/** Reads one file of a copy from `offset` on. */
export type ReadCopy = (name: string, offset: number, signal: AbortSignal) => Promise<Readable>

/**
 * Moves a server with all its data to another node. `manifest` and `read` need a workload that does not
 * run: they throw `not_stopped` otherwise, and keep it from starting (`start` waits) until they are done.
 */
export interface Transfer<Spec extends WorkloadSpec> {
  /** Tells what a copy of the server consists of, with fingerprints of every file. */
  manifest(serverId: string, onProgress: OnProgress, signal: AbortSignal): Promise<MachineManifest>
  /** Bytes of one file of the manifest from `offset` on. Throws `not_found`, `not_stopped`. */
  read(serverId: string, name: string, offset: number, signal: AbortSignal): Promise<Readable>
  /**
   * Makes the server here from a copy: fetches what is missing, verifies every fingerprint, and only
   * then defines it, stopped. Repeated, it goes on with what it has. Until it has returned, `recover`
   * does not name the server and `remove` takes everything away. Throws `copy_damaged`, `disk_full`.
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
