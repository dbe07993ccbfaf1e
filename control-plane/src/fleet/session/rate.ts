/**
 * A budget of messages that refills steadily. A node over its budget is read more slowly; how long
 * it stays over distinguishes a flood from catching up.
 */
export class MessageRate {
  readonly #perSecond: number
  readonly #burst: number
  #left: number
  #atMs: number
  #emptySinceMs: number | undefined

  constructor(perSecond: number, burst: number, nowMs: number) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#left = burst
    this.#atMs = nowMs
  }

  /**
   * Counts one message.
   * @returns milliseconds to wait before reading the next
   */
  take(nowMs: number): number {
    const refilled = this.#left + ((nowMs - this.#atMs) / 1000) * this.#perSecond
    this.#atMs = nowMs
    // Once half the budget has refilled, the node is no longer over its rate.
    if (refilled >= this.#burst / 2) this.#emptySinceMs = undefined
    this.#left = Math.min(this.#burst, refilled) - 1
    if (this.#left >= 0) return 0
    this.#emptySinceMs ??= nowMs
    return Math.ceil((-this.#left / this.#perSecond) * 1000)
  }

  /** How long the node has been over its rate. */
  exceededMs(nowMs: number): number {
    return this.#emptySinceMs === undefined ? 0 : nowMs - this.#emptySinceMs
  }
}
