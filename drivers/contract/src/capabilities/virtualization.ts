import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'

/** Checks what its host offers virtual machines. */
export interface Virtualization {
  /**
   * Never throws; reports what is missing, with a remedy.
   * @param anew tries again what takes long and has failed lately
   */
  report(signal: AbortSignal, anew?: boolean): Promise<VirtualizationReport>
}
