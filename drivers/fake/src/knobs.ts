import type { ImageReport } from '@lodge/driver/capabilities/images.ts'
import type { DriverError } from '@lodge/driver/driver.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'

/** Faults and behaviours; a test may change them at any time. */
export interface FakeKnobs {
  /** Every start fails with this error. */
  startError: DriverError | null
  startDelayMs: number
  /** Every apply fails with this error. */
  applyError: DriverError | null
  applyDelayMs: number
  /** Every installer fails with this error. */
  installError: DriverError | null
  installDelayMs: number
  /** Output of an installer. */
  installOutput: readonly string[]
  /** Output of a workload when it starts. */
  output: readonly string[]
  /** A workload exits after this long, with `exitCode`. */
  exitAfterMs: number | null
  exitCode: number
  /** Workloads ignore every signal but SIGKILL. */
  deaf: boolean
  /** A workload exits with 0 when it reads this line. */
  exitOnInput: string | null
  diskLimit: 'enforced' | 'measured'
  cpuPercent: number
  memoryBytes: number
  diskBytes: number
  /** The node's virtualization report. */
  virtualization: VirtualizationReport
  /** Every copy of a machine (snapshot, restore, export, import) fails with this error. */
  copyError: DriverError | null
  copyDelayMs: number
  /** Every removal of a server fails with this error. */
  removeError: DriverError | null
  /** All work on backups fails with this error. */
  backupError: DriverError | null
  backupDelayMs: number
  /** Size of every backup; null for that of its contents. */
  backupBytes: number | null
  /** A storage that takes every backup and keeps none. */
  backupIsLost: boolean
  /** The images on the node. */
  images: ImageReport
  /** Every download of a medium fails with this error. */
  mediumError: DriverError | null
}
