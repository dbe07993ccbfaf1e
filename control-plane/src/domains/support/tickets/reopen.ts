import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import { mayReopen } from '@lodge/shared/support/transitions.ts'
import { hasPermission, type User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { readSettings } from '../../settings/index.ts'
import { deskSettings } from '../desk/settings.ts'
import { changeTicket } from './change.ts'
import { lockedTicket } from './locked.ts'
import { isStaff, requireStaff } from './reader.ts'
import { changedBy, senderOf } from './sender.ts'
import { threadOf } from './view.ts'

/** Reopens a solved or closed ticket: agents may at any time, its customer for some days. */
export const reopenTicket = (ctx: Ctx<User>, id: string): Promise<TicketThread> =>
  ctx.transaction(async (ctx) => {
    const ticket = await lockedTicket(ctx, id)
    const { actor } = ctx
    if (isStaff(actor)) requireStaff(actor, 'support.reply')
    else if (ticket.requesterId !== actor.id)
      throw new Problem('forbidden', 'Only who opened the ticket can open it again')
    const settings = await readSettings(ctx.db, deskSettings)
    const agent = hasPermission(actor, 'support.reply')
    if (!mayReopen(ticket, agent, settings, ctx.now))
      throw new Problem(
        'invalid_state',
        agent || ticket.status !== 'closed'
          ? 'The ticket is open already'
          : 'The ticket was closed too long ago: open another one',
      )
    const by = changedBy(senderOf(actor))
    await changeTicket(ctx, ticket, { status: 'open' }, { kind: 'reopened', by })
    return threadOf(ctx, id)
  })
