/** How long is waited before something that failed is tried again: longer each time, up to a limit. */
export interface Backoff {
  /** Before the first repetition, milliseconds; chance makes it half of that at the least. */
  readonly leastMs: number
  readonly mostMs: number
  /**
   * Part of the wait that chance decides, 0 to 1, so that many who failed together do not come back
   * together; by default 0.
   */
  readonly spread?: number
}

/**
 * The wait before the next try: `leastMs`, doubled with each failure, never more than `mostMs`.
 * @param failures so far in a row, 0 for the first
 * @param chance from 0 to 1, decides over the part that `spread` leaves to it
 */
export function backoffMs(failures: number, backoff: Backoff, chance = Math.random()): number {
  const { leastMs, mostMs, spread = 0 } = backoff
  const wholeMs = Math.min(mostMs, leastMs * 2 ** Math.min(failures, 30))
  return Math.round(wholeMs - (wholeMs - leastMs / 2) * spread * (1 - chance))
}
