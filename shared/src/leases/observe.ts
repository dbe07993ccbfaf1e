import { type LeaseTimes, takeoverDelayMs } from './times.ts'

/** The renewals of a node as they are in the database. */
export interface Renewals {
  readonly epoch: number
  /** Grows with each recorded heartbeat. */
  readonly renewSeq: number
  /** The longest lease granted in this epoch. */
  readonly longestTtlMs: number
}

/**
 * What a coordinator has seen of a node, and since when. It keeps this in memory alone: a new one
 * begins to count anew, and no time stamp of another clock is ever compared.
 */
export interface Sight {
  readonly epoch: number
  readonly renewSeq: number
  /** When it read this for the first time, by its own monotonic clock. */
  readonly sinceMs: number
}

/**
 * What is seen after another look.
 * @param nowMs the coordinator's monotonic clock, read after the answer of the database
 */
export function look(
  before: Sight | undefined,
  { epoch, renewSeq }: Renewals,
  nowMs: number,
): Sight {
  return before?.epoch === epoch && before.renewSeq === renewSeq
    ? before
    : { epoch, renewSeq, sinceMs: nowMs }
}

/** How long until the node may be taken over if it stays silent; zero or less: now. */
export const takeoverInMs = (
  sight: Sight,
  { longestTtlMs }: Renewals,
  nowMs: number,
  times: LeaseTimes,
): number => sight.sinceMs + takeoverDelayMs(times, longestTtlMs) - nowMs
