/** How long to wait before retrying: longer each time, up to a limit. */
export interface Backoff {
  /** Milliseconds before the first retry; jitter takes at most half of it. */
  readonly leastMs: number
  readonly mostMs: number
  /**
   * The share of the wait that jitter decides, 0 to 1, so that many who failed together do not come
   * back together; 0 by default.
   */
  readonly spread?: number
}

/**
 * The wait before the next try: `leastMs`, doubled with each failure, never more than `mostMs`.
 * @param failures consecutive failures so far, 0 for the first try
 * @param chance 0 to 1, the random part within `spread`
 */
export function backoffMs(failures: number, backoff: Backoff, chance = Math.random()): number {
  const { leastMs, mostMs, spread = 0 } = backoff
  const wholeMs = Math.min(mostMs, leastMs * 2 ** Math.min(failures, 30))
  return Math.round(wholeMs - (wholeMs - leastMs / 2) * spread * (1 - chance))
}
