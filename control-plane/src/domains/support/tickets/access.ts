import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Resource } from '../../../http/access.ts'
import { isStaff } from './reader.ts'
import { findTicket } from './store.ts'
import type { ParticipantRow, TicketRow } from './tables.ts'
import { listParticipants } from './thread-store.ts'

export interface LoadedTicket extends TicketRow {
  /** Its number, for the audit record. */
  readonly name: string
  readonly participants: readonly ParticipantRow[]
}

async function loadTicket(ctx: Ctx, id: string): Promise<LoadedTicket | undefined> {
  const row = await findTicket(ctx.db, id)
  if (!row) return undefined
  const participants = await listParticipants(ctx.db, id)
  return { ...row, name: ticketNumber(row.number), participants }
}

/** Whether somebody is the requester or in copy. A suspended account sees only its own tickets. */
function takesPart(actor: User, { requesterId, participants }: LoadedTicket): boolean {
  if (requesterId === actor.id) return true
  if (actor.suspended) return false
  return participants.some(
    ({ userId, email }) => userId === actor.id || (userId === null && email === actor.email),
  )
}

/** A ticket; visible to its participants and to the staff of the desk. */
export const ticket: Resource<'ticket', LoadedTicket, never> = {
  name: 'ticket',
  loads: loadTicket,
  permits: (actor, loaded) => isStaff(actor) || takesPart(actor, loaded),
}

/** A ticket that the caller opened; any other is not found. */
export const ownTicket: Resource<'ticket', LoadedTicket, never> = {
  ...ticket,
  permits: (actor, { requesterId }) => requesterId === actor.id,
}
