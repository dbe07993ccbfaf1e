import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'

/** Checks what its host offers virtual machines. */
export interface Virtualization {
  /** Never throws; reports what is missing, with a remedy. */
  report(signal: AbortSignal): Promise<VirtualizationReport>
}
