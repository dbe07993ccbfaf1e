import { Attachment, AttachmentForm, AttachmentUpload } from '@lodge/shared/attachments.ts'
import {
  AmendMessage,
  BulkResults,
  BulkTickets,
  EditTicket,
  Presence,
  RateTicket,
  ReadTicket,
  SplitTicket,
  TicketThread,
  WriteMessage,
  WrittenMessage,
} from '@lodge/shared/support/tickets.ts'
import { del, get, patch, post, put } from '../../../http/endpoint.ts'
import { attachmentBody, attachmentBudgets, keepAttachment } from '../../attachments/index.ts'
import { supportBudgets } from '../budgets.ts'
import { ownTicket, ticket } from './access.ts'
import { amendMessage as amend } from './amend.ts'
import { changeMany } from './bulk.ts'
import { editTicket as edit } from './edit.ts'
import { readFile } from './files.ts'
import { rateTicket as rate } from './rate.ts'
import { readTicket as read } from './read.ts'
import { removeTicket } from './remove.ts'
import { writeInTicket } from './reply.ts'
import { splitTicket as split } from './split.ts'

export const editTicket = patch('/api/support/tickets/{id}', {
  summary: 'Change a ticket; what is left out stays. Customers change their own, in part',
  access: { who: 'user', on: ticket, whileSuspended: 'tickets' },
  body: EditTicket,
  reply: TicketThread,
  recorded: 'changed the ticket {target}',
  handle: ({ ctx, ticket, body }) => edit(ctx, ticket.id, body),
})

export const deleteTicket = del('/api/support/tickets/{id}', {
  summary: 'Delete a ticket with its messages and files',
  access: { who: 'admin', may: 'support.delete', on: ticket, stepUp: true },
  recorded: 'deleted the ticket {target}',
  handle: ({ ctx, ticket }) => removeTicket(ctx, ticket.id),
})

export const writeMessage = post('/api/support/tickets/{id}/messages', {
  summary: 'Write a reply, or as staff a note; a reply to a ticket that is over opens another one',
  access: {
    ...{ who: 'user', on: ticket, whileSuspended: 'tickets' },
    throttle: supportBudgets.ticketMessage,
  },
  body: WriteMessage,
  reply: WrittenMessage,
  status: 201,
  recorded: 'wrote in the ticket {target}',
  handle: ({ ctx, ticket, body }) => writeInTicket(ctx, ticket.id, body),
})

export const amendMessage = patch('/api/support/tickets/{id}/messages/{messageId}', {
  summary: 'Change what the caller wrote as staff, for 15 minutes; what it said before is kept',
  access: { who: 'admin', may: 'support.reply', on: ticket },
  body: AmendMessage,
  recorded: 'changed a message in the ticket {target}',
  handle: ({ ctx, ticket, params, body }) =>
    amend(ctx, {
      ...{ ticketId: ticket.id, messageId: params.messageId, body: body.bodyMarkdown },
    }),
})

export const attachToTicket = post('/api/support/tickets/{id}/attachments', {
  summary: 'Upload a file to send with a message, or with a new ticket where the id is `new`',
  access: {
    ...{ who: 'user', on: ticket, orNew: true, whileSuspended: 'tickets' },
    throttle: attachmentBudgets.attachmentUpload,
  },
  query: AttachmentUpload,
  body: attachmentBody,
  reply: Attachment,
  status: 201,
  recorded: false,
  handle: ({ ctx, query, body, http }) => keepAttachment(ctx, query, body, http),
})

export const readTicketAttachment = get('/api/support/tickets/{id}/attachments/{attachmentId}', {
  summary:
    'A file of a message in a ticket, or one that the caller is about to send; or the preview of a picture',
  access: {
    ...{ who: 'user', on: ticket, orNew: true, whileSuspended: 'tickets' },
    hiddenFromViewers: true,
  },
  query: AttachmentForm,
  streams: 'application/octet-stream',
  handle: ({ ctx, ticket, params, query, http }) =>
    readFile(ctx, ticket?.id, { id: params.attachmentId, form: query }, http),
})

export const rateTicket = post('/api/support/tickets/{id}/rating', {
  summary: 'Say how the support was, for 14 days after the solution; a later rating replaces it',
  access: { who: 'user', on: ownTicket, own: true, whileSuspended: 'tickets' },
  body: RateTicket,
  reply: TicketThread,
  recorded: 'rated the ticket {target}',
  handle: ({ ctx, ticket, body }) => rate(ctx, ticket.id, body),
})

export const splitTicket = post('/api/support/tickets/{id}/split', {
  summary: 'Move messages of a ticket into a new one of the same customer',
  access: { who: 'admin', may: 'support.reply', on: ticket },
  body: SplitTicket,
  reply: TicketThread,
  status: 201,
  recorded: 'split the ticket {target}',
  handle: ({ ctx, ticket, body }) => split(ctx, ticket.id, body),
})

export const changeTickets = post('/api/support/tickets/bulk', {
  summary: 'Change many tickets at once; each is told whether it could be changed',
  access: { who: 'admin', may: 'support.reply' },
  body: BulkTickets,
  reply: BulkResults,
  recorded: 'changed several tickets',
  handle: ({ ctx, body }) => changeMany(ctx, body),
})

export const readTicket = put('/api/support/tickets/{id}/read', {
  summary: 'Note how far the caller has read a ticket',
  access: { who: 'user', on: ticket, whileSuspended: 'tickets' },
  body: ReadTicket,
  recorded: false,
  handle: ({ ctx, ticket, body }) => read(ctx, ticket.id, new Date(body.at)),
})

export const showPresence = post('/api/support/tickets/{id}/presence', {
  summary: 'Let the other agents know that the caller looks at a ticket, or answers it',
  access: { who: 'admin', may: 'support.view', on: ticket },
  body: Presence,
  recorded: false,
  handle: ({ ctx, ticket, body }) =>
    ctx.live.announce(ctx.db, {
      ...{ kind: 'ticket-presence', id: `${ticket.id}:${ctx.actor.id}:${body.state}` },
    }),
})
