import {
  CreateTicket,
  TicketSummary,
  TicketsQuery,
  TicketThread,
} from '@lodge/shared/support/tickets.ts'
import { pageOf } from '../../../db/cursor.ts'
import { get, post } from '../../../http/endpoint.ts'
import { supportBudgets } from '../budgets.ts'
import { ticket } from './access.ts'
import { openTicket } from './open.ts'
import { reopenTicket as reopen } from './reopen.ts'
import { threadOf, ticketsOf } from './view.ts'

export const listTickets = get('/api/support/tickets', {
  summary: 'Tickets of the caller, or of all customers for the staff; with `q`, those that match',
  access: { who: 'user', whileSuspended: 'tickets' },
  query: TicketsQuery,
  reply: pageOf(TicketSummary),
  handle: ({ ctx, query }) => ticketsOf(ctx, query),
})

export const createTicket = post('/api/support/tickets', {
  summary: 'Open a ticket',
  access: { who: 'user', whileSuspended: 'tickets', throttle: supportBudgets.ticketOpened },
  body: CreateTicket,
  reply: TicketThread,
  status: 201,
  recorded: 'opened a support ticket',
  handle: ({ ctx, body }) => openTicket(ctx, body),
})

export const showTicket = get('/api/support/tickets/{id}', {
  summary: 'A ticket with its thread, as the caller sees it',
  access: { who: 'user', on: ticket, whileSuspended: 'tickets' },
  reply: TicketThread,
  handle: ({ ctx, ticket }) => threadOf(ctx, ticket.id),
})

export const reopenTicket = post('/api/support/tickets/{id}/reopen', {
  summary: 'Open a solved or closed ticket again',
  access: { who: 'user', on: ticket, whileSuspended: 'tickets' },
  reply: TicketThread,
  recorded: 'opened the ticket {target} again',
  handle: ({ ctx, ticket }) => reopen(ctx, ticket.id),
})
