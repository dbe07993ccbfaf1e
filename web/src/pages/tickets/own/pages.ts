import NewTicketPage from './new-ticket-page.tsx'
import OwnTicketPage from './own-ticket-page.tsx'
import OwnTicketsPage from './own-tickets-page.tsx'

/** In one chunk, because they share nearly all of their code and people go from one to another. */
export const ownPages = { list: OwnTicketsPage, add: NewTicketPage, one: OwnTicketPage }
