import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { changeTicket } from './change.ts'
import { requireStaff } from './reader.ts'
import { changedBy, senderOf } from './sender.ts'
import { lockTickets } from './store.ts'
import type { TicketRow } from './tables.ts'
import { moveMessages } from './thread-store.ts'
import { threadOf } from './view.ts'

/**
 * Moves the messages of a ticket into another one of the same customer, and closes it. People in copy
 * are not added to the other one, which may be about something else.
 */
export async function mergeTicket(
  ctx: Ctx<User>,
  given: TicketRow,
  into: string,
): Promise<TicketThread> {
  requireStaff(ctx.actor, 'support.reply')
  if (into === given.id)
    throw invalid([{ pointer: '/mergeInto', detail: 'must be another ticket' }])
  const target = (await lockTickets(ctx.db, [into])).at(0)
  if (!target) throw invalid([{ pointer: '/mergeInto', detail: 'is no ticket' }])
  if (target.requesterId !== given.requesterId || target.requesterEmail !== given.requesterEmail)
    throw new Problem('invalid_state', 'Only tickets of the same customer can be merged')
  if (target.mergedInto !== null || target.status === 'closed')
    throw new Problem('invalid_state', 'The other ticket is closed: open it again first')
  const by = changedBy(senderOf(ctx.actor))
  await moveMessages(ctx.db, { from: given.id, to: into })
  await changeTicket(
    ctx,
    given,
    { status: 'closed', mergedInto: into, snoozedUntil: null },
    { kind: 'merged', by, also: { into: ticketNumber(target.number) } },
  )
  const lastCustomerAt = latest(given.lastCustomerAt, target.lastCustomerAt)
  await changeTicket(
    ctx,
    target,
    { lastCustomerAt, lastAgentAt: latest(given.lastAgentAt, target.lastAgentAt) },
    { kind: 'merged', by, isPublic: true, also: { from: ticketNumber(given.number) } },
  )
  return threadOf(ctx, given.id)
}

const latest = (a: Date | null, b: Date | null): Date | null =>
  a && b ? new Date(Math.max(a.getTime(), b.getTime())) : (a ?? b)
