import { LEASE_TIMES } from '@lodge/shared/leases/times.ts'
import type { Guard } from '../guard/keeper.ts'

/** Until a version that was tried is killed instead of ending by itself. */
export const END_MS = 5_000
/** Until the former agent has started, connected and renewed the lease, even with its second heartbeat. */
const RETURN_MS = 20_000
const MOST_MS = 60_000
/** On a busy machine a good agent needs more than a moment to connect. */
export const LEAST_MS = 10_000

/**
 * When the trial of a version has to end. While it is not connected nobody renews the lease of the
 * node: what is guarded is ended with the lease, and a node that guards nothing counts as lost a
 * little later.
 * @param lease as it is now; it moves on while the version on trial renews it
 * @param beganMs when the trial began, on the boot clock
 */
export function trialEndMs(lease: Guard['lease'] | undefined, beganMs: number): number {
  const most = beganMs + MOST_MS
  if (!lease) return most
  const { deadlineMs, isGuarding } = lease
  const back = deadlineMs - RETURN_MS - END_MS
  if (isGuarding) return Math.min(most, back)
  if (deadlineMs <= beganMs) return most
  const { marginMs, settleMs } = LEASE_TIMES
  return Math.min(most, Math.max(back + marginMs + settleMs, beganMs + LEAST_MS))
}
