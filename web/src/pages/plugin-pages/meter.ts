/** Counts events against a limit per time. */
export class Meter {
  readonly #most: number
  readonly #withinMs: number
  #since = Number.NEGATIVE_INFINITY
  #count = 0

  constructor(most: number, withinMs: number) {
    this.#most = most
    this.#withinMs = withinMs
  }

  /** Counts one more. @returns whether it exceeds the limit */
  isOver(now = performance.now()): boolean {
    if (now - this.#since >= this.#withinMs) {
      this.#since = now
      this.#count = 0
    }
    return ++this.#count > this.#most
  }
}
