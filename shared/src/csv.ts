/** A cell of a CSV file; null is an empty one. */
export type Cell = string | number | boolean | null

/** Programs that open CSV run what begins with one of these as a formula; an apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
/**
 * The same where a cell begins for a program that separates cells by semicolons or tabs: to it, quotes in
 * the middle of a cell do not hold line breaks together.
 */
const LATER_FORMULA = /([;\t\r\n]["\s]*)(?=[=+\-@＝＋－＠])/g
/** An amount below zero is none, and a sum would leave out a text. */
const NUMBER = /^-\d+(\.\d+)?$/

function write(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const safe = cell.replaceAll(LATER_FORMULA, "$1'")
  const text = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${safe}` : safe
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Begins a CSV file for a spreadsheet, which would otherwise not take its letters for UTF-8. */
export const UTF8_MARK = '\uFEFF'

/** One line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(write).join(',')}\r\n`

/** The columns of a CSV file. */
export type CsvColumns<T> = readonly (readonly [head: string, cell: (row: T) => Cell])[]

export const csvHead = (columns: CsvColumns<never>): string =>
  csvLine(columns.map(([head]) => head))

export const csvRow = <T>(columns: CsvColumns<T>, row: T): string =>
  csvLine(columns.map(([, cell]) => cell(row)))
