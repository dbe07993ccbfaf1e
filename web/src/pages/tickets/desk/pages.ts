import DeskFrame from './desk-frame.tsx'
import NoTicket from './no-ticket.tsx'
import TicketPage from './ticket-page.tsx'

/** In one chunk, so that a ticket opens from the list without loading code. */
export const deskPages = { frame: DeskFrame, none: NoTicket, one: TicketPage }
