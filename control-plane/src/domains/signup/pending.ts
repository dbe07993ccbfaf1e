import type { CsvColumns } from '@lodge/shared/csv.ts'
import { parseFilter } from '@lodge/shared/lists/filter.ts'
import { PENDING_FIELDS, PENDING_SORTS } from '@lodge/shared/lists/pending.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { cutPage, decodeCursor, pageQuery } from '../../db/cursor.ts'
import { filterOf } from '../../db/filter.ts'
import { orderOf, positionIn, sortOf } from '../../db/ordered.ts'
import { CSV_PAGE, pagesAsCsv } from '../../http/csv.ts'
import { listPending, PENDING_SORT_KEYS } from './list-store.ts'

export const PendingAccount = z.object({
  id: z.uuid(),
  email: z.string(),
  state: z.enum(['unverified', 'pending']),
  inviteNote: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
type PendingAccount = z.infer<typeof PendingAccount>

const wanted = {
  filter: filterOf(PENDING_FIELDS, 'state:pending email:*@example.com ann'),
  sort: sortOf(PENDING_SORTS).default('-created'),
}

/** Filter and order of pending accounts. */
export const PendingWanted = z.object(wanted)
export const PendingQuery = z.object({ ...pageQuery, ...wanted })

type Query = Omit<z.output<typeof PendingQuery>, 'limit'> & { readonly limit: number }

export async function pageOfPending(ctx: Ctx, query: Query) {
  const order = orderOf(query.sort, PENDING_SORT_KEYS)
  const wanted = {
    terms: parseFilter(query.filter ?? '', PENDING_FIELDS),
    after: decodeCursor(query.after),
    limit: query.limit,
  }
  const found = await listPending(ctx.db, wanted, order)
  const page = cutPage(found, query.limit, ({ row, key }) => positionIn(order, { id: row.id, key }))
  return {
    ...page,
    items: page.items.map(({ row }) => ({
      id: row.id,
      email: row.email,
      state: row.state === 'pending' ? ('pending' as const) : ('unverified' as const),
      inviteNote: row.inviteNote,
      createdAt: row.createdAt.toISOString(),
    })),
  }
}

const COLUMNS: CsvColumns<PendingAccount> = [
  ['id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['state', ({ state }) => state],
  ['invitation', ({ inviteNote }) => inviteNote],
  ['created_at', ({ createdAt }) => createdAt],
]

/** All pending accounts of a filter as CSV. */
export const pendingAsCsv = (
  ctx: Ctx,
  wanted: z.output<typeof PendingWanted>,
): AsyncGenerator<string> =>
  pagesAsCsv(COLUMNS, (after) => pageOfPending(ctx, { ...wanted, after, limit: CSV_PAGE }))
