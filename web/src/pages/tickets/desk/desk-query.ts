import type { Args, Key } from '../../../api.ts'
import { q } from '../../../query.ts'
import { given } from '../../../routes/search.ts'
import type { DeskSearch } from '../desk-search.ts'

type Query = NonNullable<NonNullable<Args<'GET /api/support/tickets'>[0]>['query']>

/** The default view: most people come for open tickets. */
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

/** Queries that a change of a ticket invalidates. */
export const TICKET_KEYS = [
  'GET /api/support/tickets/{id}',
  'GET /api/support/tickets',
] as const satisfies Key<'GET'>[]
