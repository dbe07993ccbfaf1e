import type { Args, Key } from '../../../api.ts'
import { q } from '../../../query.ts'
import { given } from '../../../routes/search.ts'
import type { DeskSearch } from '../desk-search.ts'

type Query = NonNullable<NonNullable<Args<'GET /api/support/tickets'>[0]>['query']>

/** What waits is what most people come for. */
export const FIRST_VIEW = 'open'
const PAGE = 50

/** The tickets of a view. */
export const ticketsQuery = ({ view = FIRST_VIEW, category, group, ...rest }: DeskSearch) =>
  q('GET /api/support/tickets', {
    query: given({
      ...rest,
      view,
      categoryId: category,
      groupId: group,
      limit: PAGE,
    }) satisfies Query as Query,
  })

/** One ticket with its conversation. */
export const ticketQuery = (id: string) => q('GET /api/support/tickets/{id}', { params: { id } })

/** What a change of a ticket makes old. */
export const TICKET_KEYS = [
  'GET /api/support/tickets/{id}',
  'GET /api/support/tickets',
] as const satisfies Key<'GET'>[]
