import type { EventHandlers } from '../../events/events.ts'
import { giveToMember } from './assignment/of-group.ts'
import { refreshClocks } from './clocks/refresh.ts'
import { mailTicket } from './mail/send.ts'
import { runRules, runRulesOf } from './rules/run.ts'
import type { ChangeKind } from './tickets/events.ts'
import { findTicket } from './tickets/store.ts'

/** Changes that cannot affect goals. */
const NOT_OF_GOALS: readonly ChangeKind[] = ['note', 'rated', 'reminded', 'rating_asked']

/** Reactions to a change of a ticket, in its transaction: goals, mail, rules, assignment. */
export const deskAutomation: EventHandlers = {
  'ticket.changed': async (ctx, change) => {
    if (!NOT_OF_GOALS.includes(change.kind)) await refreshClocks(ctx, change.after, change.by)
    await mailTicket(ctx, change)
    await runRulesOf(ctx, change)
    const ticket = await findTicket(ctx.db, change.after.id)
    if (ticket) await giveToMember(ctx, change, ticket)
  },
  'ticket.goal_near': async (ctx, { ticket, by }) => {
    if (by.kind !== 'rule') await runRules(ctx, ticket.id, 'sla.warning')
  },
  'ticket.goal_missed': async (ctx, { ticket, by }) => {
    if (by.kind !== 'rule') await runRules(ctx, ticket.id, 'sla.breached')
  },
}
