import type { NetworkOpening } from '@lodge/shared/network-opening.ts'

/** Blocks workloads from every network except the public internet. */
export interface Networks {
  /**
   * Replaces the list of other networks that workloads may reach, without restarting anything. The
   * driver does not store it: the agent repeats it after each start.
   */
  open(openings: readonly NetworkOpening[]): Promise<void>
}
