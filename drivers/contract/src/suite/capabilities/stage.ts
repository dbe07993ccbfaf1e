import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Driver, ServerRef } from '../../driver.ts'

/** The environment in which capabilities are tested, for containers and machines alike. */
export interface Stage {
  driver(): Driver<WorkloadSpec>
  /** A driver of the same kind on another node. */
  elsewhere(): Promise<Driver<WorkloadSpec>>
  /** Aborts at the end of the suite. */
  signal(): AbortSignal
  /** Creates a complete, stopped server. */
  made(): Promise<{ readonly server: ServerRef; readonly spec: WorkloadSpec }>
}

export const none = (): void => {}

/** Snapshot ids are UUIDs. */
export const snapshotId = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`
