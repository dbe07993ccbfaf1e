/** More reports than a journal holds, so no correct agent skips as many. */
const MOST_SKIPPED = 10_000_000
/** Older agents start a new journal at their clock, in microseconds; it may run a day ahead. */
const CLOCK_AHEAD_MS = 86_400_000

/**
 * Whether a report's number is too far beyond the last one to be the agent's next. Accepting it
 * would leave no numbers for later reports.
 */
export const isLeap = (sequence: number, through: number, nowMs = Date.now()): boolean =>
  sequence > Math.max(through + MOST_SKIPPED, (nowMs + CLOCK_AHEAD_MS) * 1000)
