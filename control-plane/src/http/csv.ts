import { Readable } from 'node:stream'
import { type CsvColumns, csvHead, csvRow, UTF8_MARK } from '@lodge/shared/csv.ts'
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

async function* marked(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield UTF8_MARK
  yield* lines
}

/**
 * Answers with a CSV file of this name. What a person saves begins with a mark for spreadsheets; what
 * a program reads does not.
 */
export function sendCsv(reply: FastifyReply, file: string, lines: AsyncIterable<string>): void {
  const { accept, 'sec-fetch-site': fetchedFrom } = reply.request.headers
  // Browsers without a window ask for a download with any type, and name themselves by the second.
  const isSavedByPerson = fetchedFrom !== undefined || (accept?.includes('text/html') ?? false)
  reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(Readable.from(isSavedByPerson ? marked(lines) : lines))
}
