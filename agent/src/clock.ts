/** Time as the agent sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** Calls back once after `delayMs`; the answer cancels it. */
  after(delayMs: number, callback: () => void): () => void
}

/** The longest delay that a timer of the platform can keep. */
const MAX_DELAY_MS = 2_147_483_647

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), MAX_DELAY_MS))
    return () => clearTimeout(timer)
  },
}
