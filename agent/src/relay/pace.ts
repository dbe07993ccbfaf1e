/** Output that is worth a message of its own: waiting for more of it would gather nothing. */
const FULL_BYTES = 32 * 1024
/** What a reader types is answered by its echo, the output proper and a prompt. */
const ANSWERS = 3

/**
 * When the output of a server is sent to one reader. After a pause it is sent at once, and so is an
 * answer to what the reader typed; a little at a time it is gathered into few messages, and as much as
 * fills one waits for nothing.
 */
export class Pace {
  readonly #gatherMs: number
  readonly #nowMs: () => number
  readonly #send: () => void
  #timer: NodeJS.Timeout | null = null
  #sentMs = Number.NEGATIVE_INFINITY
  #answers = 0

  /**
   * @param gatherMs output of so many milliseconds becomes one message
   * @param nowMs a clock that may jump
   * @param send sends all there is, and calls `sent` for it
   */
  constructor(gatherMs: number, nowMs: () => number, send: () => void) {
    this.#gatherMs = gatherMs
    this.#nowMs = nowMs
    this.#send = send
  }

  /** There is output that was not sent, so many bytes of it: sends it now or soon. */
  output(bytes: number): void {
    const waitMs = this.#gatherMs - (this.#nowMs() - this.#sentMs)
    if (this.#answers > 0 || bytes >= FULL_BYTES || waitMs <= 0) {
      this.#answers = Math.max(0, this.#answers - 1)
      this.#send()
    } else this.#timer ??= setTimeout(this.#send, Math.min(waitMs, this.#gatherMs))
  }

  /** The reader typed something: what is said next is likely the answer, and he waits for it. */
  typed(): void {
    this.#answers = ANSWERS
  }

  /** Everything has been sent just now, as far as the reader takes it. */
  sent(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#sentMs = this.#nowMs()
  }

  /** Sends nothing any more by itself. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
