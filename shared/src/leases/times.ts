/**
 * The times that leases depend on. The control plane and every agent of one installation use the
 * same ones; tests scale all of them together. Why each has its value: docs/decisions/0012-leases.md.
 */
export interface LeaseTimes {
  readonly heartbeatMs: number
  /** How long a lease is valid, counted by the node from when it sent the heartbeat. */
  readonly ttlMs: number
  /** How long the guard may take to kill all guarded workloads. */
  readonly killMs: number
  /** After the end of a lease, when everything guarded is dead (I2): the kill, and a late guard. */
  readonly marginMs: number
  /** What the control plane waits on top, for its own work. */
  readonly settleMs: number
  /** How wrong the rate of any clock may be. */
  readonly clockRateError: number
  /** The lease that must be left for a boot. */
  readonly bootLeastMs: number
  /** How long a permit to boot is valid, counted by the agent from its question (I5). */
  readonly bootValidMs: number
  /** A guard that is silent for this long counts as gone, and the agent asks for no more leases. */
  readonly guardSilentMs: number
  /** A node without renewal for this long gets no new servers. */
  readonly suspectMs: number
  /** A coordinator that is silent for this long is replaced. */
  readonly coordinatorMs: number
  /** Within this time agents are back once the control plane can be reached again: twice their longest pause. */
  readonly returnMs: number
  /** Takeovers are counted over this time, see `limit.ts`. */
  readonly limitWindowMs: number
}

export const LEASE_TIMES: LeaseTimes = {
  heartbeatMs: 5_000,
  ttlMs: 60_000,
  killMs: 5_000,
  marginMs: 10_000,
  settleMs: 2_000,
  clockRateError: 0.005,
  bootLeastMs: 5_000,
  bootValidMs: 5_000,
  guardSilentMs: 5_000,
  suspectMs: 15_000,
  coordinatorMs: 15_000,
  returnMs: 30_000,
  limitWindowMs: 600_000,
}

/** What an operator may choose for a node. */
export const LEAST_TTL_SECONDS = 20
export const MOST_TTL_SECONDS = 600

/** How long leases can be made ahead of work on the control plane. */
export const LEAST_EXTENSION_SECONDS = 120
export const MOST_EXTENSION_SECONDS = 900

/** The same protocol on a faster time; rates stay. */
export function scaledTimes(times: LeaseTimes, factor: number): LeaseTimes {
  const { clockRateError, ...durations } = times
  const scaled = Object.fromEntries(
    Object.entries(durations).map(([name, ms]) => [name, ms * factor]),
  ) as Omit<LeaseTimes, 'clockRateError'>
  return { ...scaled, clockRateError }
}

/**
 * How long the coordinator must see no renewal before it takes a node over, on its own monotonic
 * clock. The lease has then ended on the node's clock, however wrong both clocks run, and the guard
 * has killed what was under it (I1, I2).
 * @param ttlMs the longest lease that may be outstanding
 */
export const takeoverDelayMs = (times: LeaseTimes, ttlMs: number): number =>
  ttlMs * (1 + 2 * times.clockRateError) + times.marginMs + times.settleMs
