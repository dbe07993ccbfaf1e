/**
 * A budget of messages that refills steadily. Who uses it up is read more slowly; the time since
 * then tells a node that floods from one that catches up.
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

  /** Counts one message. @returns milliseconds to wait before the next is read; 0 is none */
  take(nowMs: number): number {
    const refilled = this.#left + ((nowMs - this.#atMs) / 1000) * this.#perSecond
    this.#atMs = nowMs
    // Back at half the budget, the node has calmed down.
    if (refilled >= this.#burst / 2) this.#emptySinceMs = undefined
    this.#left = Math.min(this.#burst, refilled) - 1
    if (this.#left >= 0) return 0
    this.#emptySinceMs ??= nowMs
    return Math.ceil((-this.#left / this.#perSecond) * 1000)
  }

  /** For how long the node has been beyond its rate. */
  exceededMs(nowMs: number): number {
    return this.#emptySinceMs === undefined ? 0 : nowMs - this.#emptySinceMs
  }
}
