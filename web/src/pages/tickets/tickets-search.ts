import { given, type Raw, text } from '../../routes/search.ts'

const SHOWN = ['pending', 'solved', 'closed'] as const

/** The view in the address of the own tickets; all of them if it names none. */
export const ownTicketsSearch = (raw: Raw) =>
  given({ shown: SHOWN.find((one) => one === raw.shown), after: text(raw.after) })

/** What a new ticket is about, as the page that leads to it knows. */
export const newTicketSearch = (raw: Raw) =>
  given({ server: text(raw.server), category: text(raw.category) })
