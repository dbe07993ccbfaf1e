import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type { SplitTicket, TicketThread } from '@lodge/shared/support/tickets.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { changeTicket } from './change.ts'
import { copyTicket } from './create.ts'
import { lockedTicket } from './locked.ts'
import { requireStaff } from './reader.ts'
import { changedBy, senderOf } from './sender.ts'
import { messageIds, moveMessages } from './thread-store.ts'
import { threadOf } from './view.ts'

/** Moves messages of a ticket into a new one of the same customer; at least one stays. */
export const splitTicket = (
  ctx: Ctx<User>,
  id: string,
  { messageIds: chosen, subject }: SplitTicket,
): Promise<TicketThread> =>
  ctx.transaction(async (ctx) => {
    requireStaff(ctx.actor, 'support.reply')
    const ticket = await lockedTicket(ctx, id)
    const present = await messageIds(ctx.db, id)
    if (chosen.some((one) => !present.includes(one)))
      throw invalid([{ pointer: '/messageIds', detail: 'must be messages of this ticket' }])
    if (new Set(chosen).size === present.length)
      throw invalid([{ pointer: '/messageIds', detail: 'must leave a message behind' }])
    const by = changedBy(senderOf(ctx.actor))
    const from = ticketNumber(ticket.number)
    const made = await copyTicket(ctx, ticket, { subject, by, also: { from } }, (to) =>
      moveMessages(ctx.db, { from: id, to, ids: chosen }),
    )
    const into = ticketNumber(made.number)
    await changeTicket(ctx, ticket, {}, { kind: 'split', by, isPublic: true, also: { into } })
    return threadOf(ctx, made.id)
  })
