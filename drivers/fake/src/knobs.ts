import type { ImageReport } from '@lodge/driver/capabilities/images.ts'
import type { DriverError } from '@lodge/driver/driver.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'

/** Faults and habits; a test may change them at any time. */
export interface FakeKnobs {
  /** Every start fails with this. */
  startError: DriverError | null
  startDelayMs: number
  /** Every apply fails with this. */
  applyError: DriverError | null
  applyDelayMs: number
  /** Every installer fails with this. */
  installError: DriverError | null
  installDelayMs: number
  /** What an installer prints. */
  installOutput: readonly string[]
  /** What a workload prints when it starts. */
  output: readonly string[]
  /** A workload ends by itself after this long, with `exitCode`. */
  exitAfterMs: number | null
  exitCode: number
  /** A workload takes no signal but SIGKILL. */
  deaf: boolean
  /** A workload ends with 0 when this line comes in. */
  exitOnInput: string | null
  diskLimit: 'enforced' | 'measured'
  cpuPercent: number
  memoryBytes: number
  diskBytes: number
  /** What the node says of itself. */
  virtualization: VirtualizationReport
  /** Every copy of a machine (snapshot, restore, export, import) fails with this. */
  copyError: DriverError | null
  copyDelayMs: number
  /** What images are there. */
  images: ImageReport
  /** Every medium fails with this. */
  mediumError: DriverError | null
}
