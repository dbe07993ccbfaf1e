/** This much output fills a message, so waiting for more gains nothing. */
const FULL_BYTES = 32 * 1024
/** Input is typically followed by its echo, the actual output and a prompt. */
const ANSWERS = 3

/**
 * Decides when to send a server's output to one reader. Output after a pause, answers to the
 * reader's input and full messages are sent at once; a steady trickle is gathered into few
 * messages.
 */
export class Pace {
  readonly #gatherMs: number
  readonly #nowMs: () => number
  readonly #send: () => void
  #timer: NodeJS.Timeout | null = null
  #sentMs = Number.NEGATIVE_INFINITY
  #answers = 0

  /**
   * @param gatherMs output within this time becomes one message
   * @param nowMs a clock that may jump
   * @param send sends all pending output and calls `sent`
   */
  constructor(gatherMs: number, nowMs: () => number, send: () => void) {
    this.#gatherMs = gatherMs
    this.#nowMs = nowMs
    this.#send = send
  }

  /** Sends pending output, of which there are this many bytes, now or soon. */
  output(bytes: number): void {
    const waitMs = this.#gatherMs - (this.#nowMs() - this.#sentMs)
    if (this.#answers > 0 || bytes >= FULL_BYTES || waitMs <= 0) {
      this.#answers = Math.max(0, this.#answers - 1)
      this.#send()
    } else this.#timer ??= setTimeout(this.#send, Math.min(waitMs, this.#gatherMs))
  }

  /**
   * The reader typed something: what follows is probably the answer, and they are waiting for it.
   */
  typed(): void {
    this.#answers = ANSWERS
  }

  /** Records that all output the reader can take was just sent. */
  sent(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#sentMs = this.#nowMs()
  }

  /** Cancels any pending send. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
