import { randomUUIDv7 } from 'node:crypto'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { findUserIds } from './address-store.ts'
import type { TicketRow } from './tables.ts'
import { deleteParticipants, insertParticipants, listParticipants } from './thread-store.ts'

/**
 * Replaces the addresses in copy. Nothing reveals whether an address has an account: whoever signs in
 * with it later sees the ticket.
 * @returns the entry for the history; undefined if nothing changed
 */
export async function changeParticipants(
  ctx: Ctx<User>,
  { id: ticketId, requesterEmail }: TicketRow,
  emails: readonly string[],
): Promise<{ participants: { added: string[]; removed: string[] } } | undefined> {
  const present = await listParticipants(ctx.db, ticketId)
  const copies = present.filter(({ role }) => role === 'copy')
  const wanted = new Set(emails.filter((email) => email !== requesterEmail))
  const removed = copies.filter(({ email }) => !wanted.has(email))
  const added = [...wanted].filter((email) => !present.some((one) => one.email === email))
  if (removed.length + added.length === 0) return undefined
  await deleteParticipants(
    ctx.db,
    removed.map(({ id }) => id),
  )
  const known = await findUserIds(ctx.db, added)
  await insertParticipants(
    ctx.db,
    added.map((email) => ({
      ...{ id: randomUUIDv7(), ticketId, role: 'copy' as const, addedBy: ctx.actor.id },
      ...{ email, userId: known.get(email) ?? null },
    })),
  )
  return { participants: { added, removed: removed.map(({ email }) => email) } }
}
