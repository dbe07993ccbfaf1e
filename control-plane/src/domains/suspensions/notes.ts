import { randomUUIDv7 } from 'node:crypto'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import type { UserRow } from '../customers/index.ts'
import * as store from './store.ts'

export const mayReadNotes = (actor: User): boolean => hasPermission(actor, 'suspension.notes')

/** @throws {Problem} permission_required */
export function requireNotes(actor: User): void {
  if (mayReadNotes(actor)) return
  throw new Problem(
    'permission_required',
    'Internal notes need the permission suspension.notes; the super administrator can grant it',
    { fields: { permission: 'suspension.notes' } },
  )
}

/** Adds a note to the newest suspension of a customer, even if it is over. */
export async function writeNote(ctx: Ctx<User>, customer: UserRow, text: string): Promise<void> {
  const [newest] = await store.listSuspensions(ctx.db, customer.id)
  if (!newest || newest.erasedAt) throw notFound('suspension')
  await store.insertNote(ctx.db, {
    ...{ id: randomUUIDv7(), suspensionId: newest.id, authorId: ctx.actor.id, text },
  })
}
