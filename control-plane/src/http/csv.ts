import { Readable } from 'node:stream'
import { type CsvColumns, csvHead, csvRow } from '@lodge/shared/csv.ts'
import type { FastifyReply } from 'fastify'

interface CsvPage<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** Rows per query. */
export const CSV_PAGE = 500

/** All rows of a list as CSV, read page by page while it is sent. */
export async function* pagesAsCsv<T>(
  columns: CsvColumns<T>,
  read: (after: string | undefined) => Promise<CsvPage<T>>,
): AsyncGenerator<string> {
  yield csvHead(columns)
  let after: string | undefined
  do {
    const { items, nextCursor } = await read(after)
    yield items.map((row) => csvRow(columns, row)).join('')
    after = nextCursor ?? undefined
  } while (after !== undefined)
}

/** Answers with a CSV file of this name. */
export function sendCsv(reply: FastifyReply, file: string, lines: AsyncIterable<string>): void {
  reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(Readable.from(lines))
}
