import type { EventHandlers } from '../../events/events.ts'
import { giveToMember } from './assignment/of-group.ts'
import { refreshClocks } from './clocks/refresh.ts'
import { mailTicket } from './mail/send.ts'
import type { ChangeKind } from './tickets/events.ts'

/** Changes on which no goal depends. */
const NOT_OF_GOALS: readonly ChangeKind[] = ['note', 'rated', 'reminded', 'rating_asked']

/** What follows from a change of a ticket by itself, in its transaction: its goals, mail, and its agent. */
export const deskAutomation: EventHandlers = {
  'ticket.changed': async (ctx, change) => {
    if (!NOT_OF_GOALS.includes(change.kind)) await refreshClocks(ctx, change.after)
    await mailTicket(ctx, change)
    await giveToMember(ctx, change)
  },
}
