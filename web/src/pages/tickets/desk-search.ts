import type { TicketPriority } from '@lodge/shared/support/ticket-words.ts'
import type { TicketsQuery } from '@lodge/shared/support/tickets.ts'
import { given, type Raw, text } from '../../routes/search.ts'

// Everybody loads this file, so it does not import the schemas.
const VIEWS = [
  'mine',
  'unassigned',
  'open',
  'waiting',
  'solved',
  'held',
  'spam',
  'all',
] as const satisfies NonNullable<TicketsQuery['view']>[]
const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const satisfies TicketPriority[]

/** What the URL of the desk stores: the view and its filters; `q` is the search text. */
export const deskSearch = (raw: Raw) =>
  given({
    view: VIEWS.find((one) => one === raw.view),
    q: text(raw.q),
    priority: PRIORITIES.find((one) => one === raw.priority),
    category: text(raw.category),
    group: text(raw.group),
    tag: text(raw.tag),
    after: text(raw.after),
  })

export type DeskSearch = ReturnType<typeof deskSearch>
