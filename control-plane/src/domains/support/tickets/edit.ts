import type { EditTicket, TicketThread } from '@lodge/shared/support/tickets.ts'
import { staysOpen } from '@lodge/shared/support/transitions.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { type Change, changeTicket } from './change.ts'
import { lockedTicket } from './locked.ts'
import { mergeTicket } from './merge.ts'
import { changeParticipants } from './participants.ts'
import { isStaff } from './reader.ts'
import { changedBy, senderOf } from './sender.ts'
import { lockTickets } from './store.ts'
import type { TicketRow } from './tables.ts'
import { threadOf } from './view.ts'
import { workOn } from './work.ts'

/** Changes a ticket, unless it has changed since the caller saw it. */
export const editTicket = (
  ctx: Ctx<User>,
  id: string,
  { version, ...given }: EditTicket,
): Promise<TicketThread> =>
  ctx.transaction(async (ctx) => {
    // Prevents a deadlock of two merges of the same tickets.
    if (given.mergeInto !== undefined) await lockTickets(ctx.db, [id, given.mergeInto])
    const ticket = await lockedTicket(ctx, id)
    const staff = isStaff(ctx.actor)
    const newest = staff ? ticket.version : ticket.publicVersion
    if (version !== newest)
      throw new Problem(
        'ticket_changed',
        'Somebody else has changed the ticket meanwhile: load it again and repeat your change',
        { fields: { version: newest } },
      )
    if (!staff) await editOwn(ctx, ticket, given)
    else if (given.mergeInto !== undefined) return mergeTicket(ctx, ticket, given.mergeInto)
    else await workOn(ctx, ticket, given)
    return threadOf(ctx, id)
  })

/** The changes that customers may make to their own ticket. */
async function editOwn(
  ctx: Ctx<User>,
  ticket: TicketRow,
  { subject, status, participants, ...rest }: Omit<EditTicket, 'version'>,
): Promise<void> {
  if (ticket.requesterId !== ctx.actor.id)
    throw new Problem('forbidden', 'Only who opened the ticket can change it')
  if (Object.values(rest).some((value) => value !== undefined))
    throw new Problem('forbidden', 'Only the support changes this: write what you need')
  const change: Change = {}
  if (subject !== undefined && subject !== ticket.subject) {
    if (ticket.status !== 'new')
      throw new Problem('invalid_state', 'The subject can be changed while the ticket is new')
    change.subject = subject
  }
  if (status !== undefined) {
    if (status !== 'solved')
      throw new Problem('forbidden', 'You can mark the ticket as solved; a reply opens it again')
    if (!staysOpen(ticket.status))
      throw new Problem('invalid_state', 'The ticket is solved already')
    change.status = status
  }
  const also = participants && (await changeParticipants(ctx, ticket, participants))
  if (Object.keys(change).length === 0 && !also) return
  const by = changedBy(senderOf(ctx.actor))
  await changeTicket(ctx, ticket, change, {
    ...{ kind: 'updated', by, isPublic: true },
    ...(also && { also }),
  })
}
