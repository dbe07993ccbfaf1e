import type { RateTicket, TicketThread } from '@lodge/shared/support/tickets.ts'
import { mayRate, RATING_DAYS } from '@lodge/shared/support/transitions.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { changeTicket } from './change.ts'
import { lockedTicket } from './locked.ts'
import { changedBy } from './sender.ts'
import { saveRating } from './thread-store.ts'
import { threadOf } from './view.ts'

/** Stores the requester's rating; a later one replaces it. */
export const rateTicket = (
  ctx: Ctx<User>,
  id: string,
  { score, comment }: RateTicket,
): Promise<TicketThread> =>
  ctx.transaction(async (ctx) => {
    const ticket = await lockedTicket(ctx, id)
    if (!mayRate(ticket, ctx.now))
      throw new Problem(
        'invalid_state',
        `A ticket can be rated for ${RATING_DAYS} days after it was solved`,
      )
    await saveRating(ctx.db, { ticketId: id, score, comment, at: ctx.now })
    const by = changedBy({ kind: 'customer', userId: ctx.actor.id, channel: 'web' })
    await changeTicket(ctx, ticket, {}, { kind: 'rated', by, isPublic: true, also: { score } })
    return threadOf(ctx, id)
  })
