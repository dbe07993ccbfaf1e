import { z } from 'zod'
import { Problem } from '../problem.ts'

/** Query fields of every list: `limit` up to 100, and the `after` cursor of the previous page. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(50),
  after: z.string().max(512).optional(),
}

/** A page of a list; `nextCursor` is null on the last one. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

/** Where a page ended: sort key and id of its last row. */
export type Position = readonly [key: string, id: string]

/** Rejects text that PostgreSQL cannot store: no cursor of ours contains any. */
const Position = z.tuple([
  z.string().refine((key) => key.isWellFormed() && !key.includes('\0')),
  z.uuid(),
])

export const encodeCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

export function decodeCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  try {
    return Position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw invalidCursor()
  }
}

export const invalidCursor = (): Problem =>
  new Problem(
    'invalid_cursor',
    'The cursor is not one that this list gave: start from the first page',
  )

/** Removes the extra row that shows whether there is a next page. */
export function cutPage<T>(
  rows: T[],
  limit: number,
  positionOf: (row: T) => Position,
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(positionOf(last)) : null }
}
