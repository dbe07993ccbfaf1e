import { ImportRefused } from './refused.ts'

/** A value of a table; null for NULL. */
export type Cell = string | null

const NEWLINE = 10
const RETURN = 13
const QUOTE = 34
const SEPARATORS = [',', ';', '\t']
/** Characters; far longer than any row of these tables. */
export const LONGEST_ROW = 1_048_576

/** Reads CSV (RFC 4180) in chunks, so that no file is ever in memory as a whole. */
export class CsvReader {
  readonly #file: string
  /**
   * The beginning of the first line, which is buffered until it is complete and shows the separator.
   */
  #head = ''
  #separator: number | undefined
  #row: Cell[] = []
  #text = ''
  #length = 0
  #line = 1
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'

  constructor(file: string) {
    this.#file = file
  }

  /** The rows that this chunk completes. */
  *read(part: string): Generator<Cell[]> {
    if (this.#separator !== undefined) return yield* this.#rows(part)
    this.#head += part
    const [first = '', rest] = this.#head.split(/[\r\n]/, 2)
    if (rest !== undefined) yield* this.#begin(first)
    else if (first.length > LONGEST_ROW) throw this.#refusal('is too long')
  }

  /** The last row, which need not end with a line break. */
  *end(): Generator<Cell[]> {
    if (this.#separator === undefined) yield* this.#begin(this.#head)
    if (this.#state === 'quoted') throw this.#refusal('has a quote that nothing closes')
    yield* this.#rows('\n')
  }

  *#begin(first: string): Generator<Cell[]> {
    const counts = SEPARATORS.map((one) => first.split(one).length)
    const separator = SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
    this.#separator = separator.charCodeAt(0)
    yield* this.#rows(this.#head)
    this.#head = ''
  }

  *#rows(part: string): Generator<Cell[]> {
    let from = 0
    for (let at = 0; at < part.length; at += 1) {
      const code = part.charCodeAt(at)
      if (this.#state === 'quoted') {
        if (code === QUOTE) {
          this.#keep(part.slice(from, at))
          this.#state = 'closed'
        } else if (code === NEWLINE) this.#line += 1
      } else if (code === QUOTE) {
        if (this.#state === 'plain')
          throw this.#refusal('has a quote inside a field without quotes')
        if (this.#state === 'closed') this.#text += '"'
        this.#state = 'quoted'
        from = at + 1
      } else if (code === this.#separator) this.#endField(part.slice(from, at))
      else if (code === NEWLINE || code === RETURN) {
        const isBlank = this.#state === 'start' && this.#row.length === 0
        if (!isBlank) {
          this.#endField(part.slice(from, at))
          yield this.#row
          this.#row = []
          this.#length = 0
        }
        if (code === NEWLINE) this.#line += 1
      } else if (this.#state === 'closed') throw this.#refusal('goes on after a closing quote')
      else if (this.#state === 'start') {
        this.#state = 'plain'
        from = at
      }
    }
    if (this.#state === 'plain' || this.#state === 'quoted') this.#keep(part.slice(from))
  }

  #keep(text: string): void {
    this.#text += text
    this.#length += text.length
    if (this.#length > LONGEST_ROW) throw this.#refusal('is too long')
  }

  #endField(plain: string): void {
    if (this.#state === 'plain') this.#keep(plain)
    const isNull = this.#state === 'plain' && (this.#text === 'NULL' || this.#text === '\\N')
    this.#row.push(isNull ? null : this.#text)
    this.#text = ''
    this.#state = 'start'
  }

  #refusal(what: string): ImportRefused {
    return new ImportRefused(
      `${this.#file}, line ${this.#line}, ${what}: export it with quotes around each field, and two where a field has one`,
    )
  }
}
