import { randomUUIDv7 } from 'node:crypto'
import type { CustomerNote } from '@lodge/shared/customer-notes.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { cutPage, decodeCursor } from '../../../db/cursor.ts'
import { notFound } from '../../../problem.ts'
import type { UserRow } from '../tables.ts'
import * as store from './store.ts'

const view = (row: store.NoteWithAuthor): CustomerNote => ({
  id: row.id,
  content: row.content,
  author:
    row.authorId === null || row.authorEmail === null
      ? null
      : { id: row.authorId, email: row.authorEmail, name: row.authorName },
  createdAt: row.createdAt.toISOString(),
  editedAt: row.editedAt?.toISOString() ?? null,
})

export async function pageOfNotes(
  ctx: Ctx,
  customer: UserRow,
  query: { after?: string | undefined; limit: number },
) {
  const rows = await store.listNotes(ctx.db, customer.id, {
    after: decodeCursor(query.after),
    limit: query.limit,
  })
  const page = cutPage(rows, query.limit, (row) => [row.createdAt.toISOString(), row.id])
  return { ...page, items: page.items.map(view) }
}

export async function writeNote(
  ctx: Ctx<User>,
  customer: UserRow,
  content: string,
): Promise<CustomerNote> {
  const id = randomUUIDv7()
  await store.insertNote(ctx.db, {
    id,
    customerId: customer.id,
    authorId: ctx.actor.id,
    content,
  })
  return found(ctx, customer, id)
}

export async function editNote(
  ctx: Ctx,
  customer: UserRow,
  id: string,
  content: string,
): Promise<CustomerNote> {
  await store.updateNote(ctx.db, customer.id, id, { content, editedAt: ctx.now })
  return found(ctx, customer, id)
}

export async function deleteNote(ctx: Ctx, customer: UserRow, id: string): Promise<void> {
  if (!(await store.deleteNote(ctx.db, customer.id, id))) throw notFound('note')
}

async function found(ctx: Ctx, customer: UserRow, id: string): Promise<CustomerNote> {
  const row = await store.findNote(ctx.db, customer.id, id)
  if (!row) throw notFound('note')
  return view(row)
}
