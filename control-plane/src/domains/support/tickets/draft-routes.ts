import { Draft, SaveDraft } from '@lodge/shared/support/tickets.ts'
import { get, put } from '../../../http/endpoint.ts'
import * as drafts from '../drafts/drafts.ts'
import { ticket } from './access.ts'

export const showDraft = get('/api/support/drafts/{id}', {
  summary: 'What the caller has begun to write in a ticket, or as a new one with the id `new`',
  access: { who: 'user', on: ticket, orNew: true, whileSuspended: 'tickets' },
  reply: Draft,
  handle: ({ ctx, params }) => drafts.draftOf(ctx, params.id),
})

export const saveDraft = put('/api/support/drafts/{id}', {
  summary: 'Keep what the caller has begun to write in a ticket, or as a new one with the id `new`',
  access: { who: 'user', on: ticket, orNew: true, whileSuspended: 'tickets' },
  body: SaveDraft,
  reply: Draft,
  recorded: false,
  handle: ({ ctx, params, body }) => drafts.saveDraft(ctx, params.id, body),
})
