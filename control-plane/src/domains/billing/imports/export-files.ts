import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Cell, CsvReader } from './csv-reader.ts'
import { DumpReader } from './dump-reader.ts'
import { ImportRefused } from './refused.ts'

/** A row of a table of another panel, by column. */
export type Row = Readonly<Record<string, Cell>>

export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le'] as const
export type Encoding = (typeof ENCODINGS)[number]

const MOST_ROWS = 1_000_000

/** The files of an export: `<table>.csv` for each table, or a dump with all of them. */
export class ExportFiles {
  readonly #csv: ReadonlyMap<string, string>
  readonly #dumps: readonly string[]
  readonly #encoding: Encoding

  private constructor(
    csv: ReadonlyMap<string, string>,
    dumps: readonly string[],
    encoding: Encoding,
  ) {
    this.#csv = csv
    this.#dumps = dumps
    this.#encoding = encoding
  }

  /** @param places files, or folders with files */
  static async open(places: readonly string[], encoding: Encoding): Promise<ExportFiles> {
    const csv = new Map<string, string>()
    const dumps: string[] = []
    for (const file of (await Promise.all(places.map(filesOf))).flat()) {
      const { name, ext } = path.parse(file.toLowerCase())
      if (ext === '.sql') dumps.push(file)
      else if (ext !== '.csv') continue
      else if (csv.has(name)) throw new ImportRefused(`Two files are named ${name}.csv: name one`)
      else csv.set(name, file)
    }
    if (csv.size + dumps.length === 0)
      throw new ImportRefused('There is no file that ends in .csv or .sql: see --help')
    return new ExportFiles(csv, dumps, encoding)
  }

  /**
   * The rows of a table.
   * @param needed columns without which the table cannot be imported
   */
  async *rows(table: string, needed: readonly string[]): AsyncGenerator<Row> {
    let count = 0
    for await (const row of this.#allRows(table, needed)) {
      count += 1
      if (count > MOST_ROWS)
        throw new ImportRefused(`${table} has more than ${MOST_ROWS} rows: import parts of it`)
      yield row
    }
  }

  async *#allRows(table: string, needed: readonly string[]): AsyncGenerator<Row> {
    const csv = this.#csv.get(table)
    if (csv !== undefined) return yield* this.#csvRows(csv, needed)
    for (const dump of this.#dumps) yield* this.#dumpRows(dump, table, needed)
  }

  async *#csvRows(file: string, needed: readonly string[]): AsyncGenerator<Row> {
    const reader = new CsvReader(file)
    let columns: string[] | undefined
    const rowsOf = function* (found: Iterable<Cell[]>): Generator<Row> {
      for (const cells of found) {
        if (columns) yield rowOf(file, columns, cells)
        else {
          columns = cells.map((name) => (name ?? '').trim().toLowerCase())
          requireColumns(file, columns, needed)
        }
      }
    }
    for await (const part of this.#textOf(file)) yield* rowsOf(reader.read(part))
    yield* rowsOf(reader.end())
  }

  async *#dumpRows(file: string, table: string, needed: readonly string[]): AsyncGenerator<Row> {
    const reader = new DumpReader(file, table)
    let known: readonly string[] | undefined
    for await (const part of this.#textOf(file))
      for (const { columns, cells } of reader.read(part)) {
        if (columns !== known) requireColumns(`${table} in ${file}`, columns, needed)
        known = columns
        yield rowOf(file, columns, cells)
      }
    reader.end()
  }

  async *#textOf(file: string): AsyncGenerator<string> {
    const decoder = new TextDecoder(this.#encoding, { fatal: true })
    try {
      for await (const part of createReadStream(file, { highWaterMark: 262_144 }))
        yield decoder.decode(part as Uint8Array, { stream: true })
      yield decoder.decode()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new ImportRefused(
        `${file} is not in ${this.#encoding}: export it in UTF-8, or say what it is in with --encoding (${ENCODINGS.join(', ')})`,
        { cause: error },
      )
    }
  }
}

/** Reads a CSV file with the columns service and server: the server's id by the service's id. */
export async function serversNamed(file: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const files = await ExportFiles.open([file], 'utf-8')
  for await (const row of files.rows(path.parse(file.toLowerCase()).name, ['service', 'server'])) {
    const server = (row.server ?? '').trim().toLowerCase()
    if (!UUID.test(server))
      throw new ImportRefused(`${file} names ${server.slice(0, 60)}, which is no id of a server`)
    found.set((row.service ?? '').trim(), server)
  }
  return found
}
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

async function filesOf(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => undefined)
  if (!found) throw new ImportRefused(`There is no file or folder ${place}`)
  if (!found.isDirectory()) return [place]
  const inside = await readdir(place, { withFileTypes: true })
  return inside.filter((one) => one.isFile()).map(({ name }) => path.join(place, name))
}

function requireColumns(
  where: string,
  columns: readonly string[],
  needed: readonly string[],
): void {
  const missing = needed.filter((name) => !columns.includes(name))
  if (missing.length > 0)
    throw new ImportRefused(
      `${where} has no column ${missing.join(', ')}: export all columns, with their names in the first line`,
    )
}

function rowOf(file: string, columns: readonly string[], cells: readonly Cell[]): Row {
  if (cells.length === columns.length)
    return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null]))
  throw new ImportRefused(
    `${file} has a row of ${cells.length} fields instead of ${columns.length}, which begins with ${(cells[0] ?? '').slice(0, 40)}: export it with quotes around each field`,
  )
}
