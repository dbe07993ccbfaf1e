import { type Cell, LONGEST_ROW } from './csv-reader.ts'
import { ImportRefused } from './refused.ts'

export interface DumpedRow {
  readonly columns: readonly string[]
  readonly cells: readonly Cell[]
}

const SPACE = /\s/
const MARKS = '(),;'
const ESCAPED: Readonly<Record<string, string>> = {
  ...{ '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' },
}
const NUMBER = /^-?\d+(\.\d+)?$/
/** A character set introducer, which mysqldump writes before a string, such as `_binary`. */
const PREFIX = /^_\w+$/

type Lexing =
  | 'between'
  | 'word'
  | 'name'
  | 'text'
  | 'escape'
  | 'text-ends'
  | 'dash'
  | 'slash'
  | 'line-comment'
  | 'comment'
  | 'comment-ends'
type Phase =
  | 'start'
  | 'insert'
  | 'columns'
  | 'column'
  | 'values'
  | 'row'
  | 'value'
  | 'skip'
  | 'other'

/**
 * Reads the rows of one table from a dump by mysqldump or phpMyAdmin, in chunks. It executes nothing:
 * it understands INSERT with VALUES and skips every other statement.
 */
export class DumpReader {
  readonly #file: string
  readonly #table: string
  #lexing: Lexing = 'between'
  #quote = ''
  #text = ''
  #phase: Phase = 'start'
  #columns: string[] = []
  #cells: Cell[] = []
  #cell: Cell | undefined
  #length = 0

  constructor(file: string, table: string) {
    this.#file = file
    this.#table = table
  }

  /** The rows that this chunk completes. */
  *read(part: string): Generator<DumpedRow> {
    let from = 0
    for (let at = 0; at < part.length; at += 1) {
      const char = part.charAt(at)
      switch (this.#lexing) {
        case 'text':
          if (char !== '\\' && char !== this.#quote) break
          this.#keep(part.slice(from, at))
          this.#lexing = char === '\\' ? 'escape' : 'text-ends'
          break
        case 'escape':
          this.#keep(ESCAPED[char] ?? char)
          this.#lexing = 'text'
          from = at + 1
          break
        case 'text-ends':
          if (char === this.#quote) {
            this.#keep(char)
            this.#lexing = 'text'
            from = at + 1
            break
          }
          this.#value(this.#taken())
          this.#lexing = 'between'
          at -= 1
          break
        case 'name':
          if (char !== '`') break
          this.#keep(part.slice(from, at))
          this.#word(this.#taken())
          this.#lexing = 'between'
          break
        case 'word':
          if (!SPACE.test(char) && !MARKS.includes(char) && !'\'"`'.includes(char)) break
          this.#keep(part.slice(from, at))
          this.#word(this.#taken())
          this.#lexing = 'between'
          at -= 1
          break
        case 'line-comment':
          if (char === '\n') this.#lexing = 'between'
          break
        case 'comment':
          if (char === '*') this.#lexing = 'comment-ends'
          break
        case 'comment-ends':
          if (char === '/') this.#lexing = 'between'
          else if (char !== '*') this.#lexing = 'comment'
          break
        case 'dash':
          if (char === '-') this.#lexing = 'line-comment'
          else {
            // A negative number.
            this.#keep('-')
            this.#lexing = 'word'
            from = at
            at -= 1
          }
          break
        case 'slash':
          this.#lexing = char === '*' ? 'comment' : 'between'
          break
        case 'between': {
          if (SPACE.test(char)) break
          from = at + 1
          if (char === "'" || char === '"') {
            this.#quote = char
            this.#lexing = 'text'
          } else if (char === '`') this.#lexing = 'name'
          else if (char === '#') this.#lexing = 'line-comment'
          else if (char === '-') this.#lexing = 'dash'
          else if (char === '/') this.#lexing = 'slash'
          else if (MARKS.includes(char)) {
            const row = this.#mark(char)
            if (row) yield row
          } else {
            this.#lexing = 'word'
            from = at
          }
        }
      }
    }
    if (this.#lexing === 'text' || this.#lexing === 'name' || this.#lexing === 'word')
      this.#keep(part.slice(from))
  }

  end(): void {
    const isWhole = ['start', 'skip', 'other'].includes(this.#phase)
    if (!isWhole || this.#lexing === 'text')
      throw this.#refusal('ends within a statement: export it again')
  }

  #keep(text: string): void {
    const passesOver =
      this.#phase === 'skip' || (this.#phase === 'other' && this.#lexing !== 'word')
    if (passesOver) return
    this.#text += text
    this.#length += text.length
    if (this.#length > LONGEST_ROW) throw this.#refusal('has a row that is too long')
  }

  #taken(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  #word(word: string): void {
    const keyword = word.toUpperCase()
    switch (this.#phase) {
      case 'start':
        this.#phase =
          keyword === 'INSERT' || keyword === 'REPLACE'
            ? 'insert'
            : keyword === 'DELIMITER'
              ? 'other'
              : 'skip'
        break
      case 'insert':
        if (keyword === 'INTO' || keyword === 'IGNORE') break
        this.#phase = word === this.#table ? 'columns' : 'skip'
        break
      case 'columns':
        throw this.#refusal(
          `does not name the columns of ${this.#table}: export it with mysqldump --complete-insert`,
        )
      case 'column':
        this.#columns.push(word)
        break
      case 'values':
        if (keyword !== 'VALUES') throw this.#unknown()
        this.#phase = 'row'
        break
      case 'row':
        throw this.#unknown()
      case 'value':
        if (keyword === 'NULL') this.#cell = null
        else if (NUMBER.test(word)) this.#cell = word
        else if (!PREFIX.test(word)) throw this.#unknown()
        break
      case 'other':
        // The body of a trigger or procedure ends where the default delimiter is restored.
        this.#length = 0
        if (keyword === 'DELIMITER') this.#phase = 'start'
        break
      case 'skip':
    }
  }

  #value(text: string): void {
    if (this.#phase === 'skip' || this.#phase === 'other') return
    if (this.#phase === 'value' && this.#cell === undefined) this.#cell = text
    else if (this.#phase === 'start') this.#phase = 'skip'
    else throw this.#unknown()
  }

  #mark(mark: string): DumpedRow | undefined {
    switch (this.#phase) {
      case 'start':
      case 'skip':
        this.#phase = mark === ';' ? 'start' : 'skip'
        this.#length = 0
        break
      case 'columns':
        if (mark !== '(') throw this.#unknown()
        this.#columns = []
        this.#phase = 'column'
        break
      case 'column':
        if (mark === ')') this.#phase = 'values'
        break
      case 'row':
        this.#length = 0
        if (mark === ';') this.#phase = 'start'
        else if (mark === '(') {
          this.#cells = []
          this.#phase = 'value'
        }
        break
      case 'value': {
        if (this.#cell === undefined || mark === '(' || mark === ';') throw this.#unknown()
        this.#cells.push(this.#cell)
        this.#cell = undefined
        if (mark === ',') break
        this.#phase = 'row'
        if (this.#cells.length !== this.#columns.length) throw this.#unknown()
        return { columns: this.#columns, cells: this.#cells }
      }
      case 'insert':
      case 'values':
        throw this.#unknown()
      case 'other':
    }
    return undefined
  }

  #unknown(): ImportRefused {
    return this.#refusal(
      `has rows of ${this.#table} in a form that is not known: export it with mysqldump --complete-insert`,
    )
  }

  #refusal(what: string): ImportRefused {
    return new ImportRefused(`${this.#file} ${what}`)
  }
}
