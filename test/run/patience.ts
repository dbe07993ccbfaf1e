/**
 * How long a test waits for a fact before it fails: long enough for a machine that is several times
 * slower than the two quiet cores of the budgets, because the fact is judged and not the time.
 */
export const PATIENCE_MS = 60_000
