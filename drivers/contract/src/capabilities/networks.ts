import type { NetworkOpening } from '@lodge/shared/network-opening.ts'

/** Keeps workloads away from every network but the public internet. */
export interface Networks {
  /**
   * Of other networks, workloads reach only these from now on; nothing is restarted for that. The driver
   * does not remember them: they are said again after each start of the agent.
   */
  open(openings: readonly NetworkOpening[]): Promise<void>
}
