import { CustomerNote, WriteNote } from '@lodge/shared/customer-notes.ts'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../../db/cursor.ts'
import { del, get, patch, post } from '../../../http/endpoint.ts'
import { customer } from '../access.ts'
import * as notes from './notes.ts'

export const listNotes = get('/api/customers/{id}/notes', {
  summary: "The staff's notes about a customer, the newest first",
  access: { who: 'admin', may: 'customers.view', on: customer },
  query: z.object(pageQuery),
  reply: pageOf(CustomerNote),
  handle: ({ ctx, customer, query }) => notes.pageOfNotes(ctx, customer, query),
})

export const writeNote = post('/api/customers/{id}/notes', {
  summary: 'Write a note about a customer, which they never see',
  access: { who: 'admin', may: 'customers.notes', on: customer },
  body: WriteNote,
  reply: CustomerNote,
  status: 201,
  recorded: 'wrote a note about {target}',
  handle: ({ ctx, customer, body }) => notes.writeNote(ctx, customer, body.content),
})

export const editNote = patch('/api/customers/{id}/notes/{noteId}', {
  summary: 'Change a note about a customer',
  access: { who: 'admin', may: 'customers.notes', on: customer },
  body: WriteNote,
  reply: CustomerNote,
  recorded: 'changed a note about {target}',
  handle: ({ ctx, customer, params, body }) =>
    notes.editNote(ctx, customer, params.noteId, body.content),
})

export const deleteNote = del('/api/customers/{id}/notes/{noteId}', {
  summary: 'Delete a note about a customer',
  access: { who: 'admin', may: 'customers.notes', on: customer },
  recorded: 'deleted a note about {target}',
  handle: ({ ctx, customer, params }) => notes.deleteNote(ctx, customer, params.noteId),
})
