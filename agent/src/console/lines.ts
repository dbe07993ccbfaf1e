import { stripVTControlCharacters } from 'node:util'

/** A line longer than this is cut into several. */
const MAX_LINE = 16_384

/**
 * Makes lines of output that comes in pieces; `\n` and `\r` both end one. Empty lines are left out.
 * @param stripAnsi take colours and cursor movements away
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder()
  readonly #stripAnsi: boolean
  #rest = ''

  constructor(stripAnsi: boolean) {
    this.#stripAnsi = stripAnsi
  }

  /** @returns the lines that ended in this piece */
  push(chunk: Uint8Array): string[] {
    const parts = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split(/[\r\n]/)
    this.#rest = parts.pop() ?? ''
    if (this.#rest.length > MAX_LINE) {
      parts.push(this.#rest)
      this.#rest = ''
    }
    return parts.map((line) => this.#clean(line)).filter((line) => line !== '')
  }

  /** The line that has not ended yet. */
  get unfinished(): string {
    return this.#clean(this.#rest)
  }

  #clean(line: string): string {
    return this.#stripAnsi ? stripVTControlCharacters(line) : line
  }
}
