/** More reports than a journal holds, so no honest agent skips as many. */
const MOST_SKIPPED = 10_000_000
/** Agents of earlier versions begin a new journal at their clock, in microseconds; it may be a day ahead. */
const CLOCK_AHEAD_MS = 86_400_000

/**
 * Whether a report's number is so far beyond the last one that it cannot be the agent's next. Taken in,
 * it would leave no numbers for the reports that come after it.
 */
export const isLeap = (sequence: number, through: number, nowMs = Date.now()): boolean =>
  sequence > Math.max(through + MOST_SKIPPED, (nowMs + CLOCK_AHEAD_MS) * 1000)
