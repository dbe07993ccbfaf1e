import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'

/** Knows what its host offers to virtual machines. */
export interface Virtualization {
  /** Never throws; what is missing is told with its remedy. */
  report(signal: AbortSignal): Promise<VirtualizationReport>
}
