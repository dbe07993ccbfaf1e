import { stripVTControlCharacters } from 'node:util'

/** Longer lines are split, so that output without line ends cannot exhaust memory. */
const MAX_LINE = 16_384

/**
 * Splits chunked output into lines; `
 * ` and `\r` both end one. Drops empty lines.
 * @param stripAnsi remove colours and cursor movements
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
