import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { OnProgress, ServerRef } from '../work.ts'

/** Fills the data of a server before its first start. */
export interface Installer<Spec extends WorkloadSpec> {
  /**
   * Runs the installer to its end. Throws `DriverError` `install_failed` when it ends with anything but 0;
   * `kill` ends it. Does nothing for a container without an installer.
   *
   * For a machine: makes the system disk anew from the spec's `source`, with firmware variables and TPM
   * state as new ones are; further disks and snapshots stay. An aborted one leaves nothing that starts.
   */
  install(server: ServerRef, spec: Spec, onProgress: OnProgress, signal: AbortSignal): Promise<void>
}
