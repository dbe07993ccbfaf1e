const MOST_LINES = 2_000
const MOST_BYTES = 512 * 1024
const LONGEST_LINE = 8 * 1024

/** The newest lines of a log, in memory that does not grow. */
export class LogTail {
  readonly #lines: string[] = []
  #bytes = 0

  /** Takes one entry; the oldest ones make room for it. */
  add(entry: string): void {
    const line = entry.trimEnd().slice(0, LONGEST_LINE)
    if (line === '') return
    this.#lines.push(line)
    this.#bytes += Buffer.byteLength(line)
    while (this.#lines.length > MOST_LINES || this.#bytes > MOST_BYTES)
      this.#bytes -= Buffer.byteLength(this.#lines.shift() ?? '')
  }

  /** Up to `count` lines, the newest last. */
  newest(count: number): string[] {
    return count > 0 ? this.#lines.slice(-count) : []
  }
}
