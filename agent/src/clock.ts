/** The agent's source of time; tests supply their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** Calls back once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void
}

/** The longest delay that `setTimeout` supports. */
const MAX_DELAY_MS = 2_147_483_647

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), MAX_DELAY_MS))
    return () => clearTimeout(timer)
  },
}
