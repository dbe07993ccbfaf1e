import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Driver, ServerRef } from '../../driver.ts'

/** Where the promises of capabilities are tried, on containers and machines alike. */
export interface Stage {
  driver(): Driver<WorkloadSpec>
  /** A driver of the same kind on another node. */
  elsewhere(): Promise<Driver<WorkloadSpec>>
  /** A signal that ends with the suite. */
  signal(): AbortSignal
  /** A whole server that does not run. */
  made(): Promise<{ readonly server: ServerRef; readonly spec: WorkloadSpec }>
}

export const none = (): void => {}

/** Snapshots are named by UUIDs. */
export const snapshotId = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`
