import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { OnProgress, ServerRef } from '../work.ts'

/** Populates a server's data before its first start. */
export interface Installer<Spec extends WorkloadSpec> {
  /**
   * Runs the installer to completion. Throws `DriverError` `install_failed` on a nonzero exit code;
   * `kill` ends it. Does nothing for a container without an installer. For a machine: recreates the
   * system disk from the spec's `source`, with fresh firmware variables and TPM state; further
   * disks and snapshots are kept. An aborted installation leaves nothing that can start.
   */
  install(server: ServerRef, spec: Spec, onProgress: OnProgress, signal: AbortSignal): Promise<void>
}
