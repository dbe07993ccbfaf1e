import type { EventHandlers } from '../../events/events.ts'
import { refreshClocks } from './clocks/refresh.ts'
import type { ChangeKind } from './tickets/events.ts'

/** Changes on which no goal depends. */
const NOT_OF_GOALS: readonly ChangeKind[] = ['note', 'rated', 'reminded']

/** What follows from a change of a ticket by itself, in its transaction: its goals. */
export const deskAutomation: EventHandlers = {
  'ticket.changed': async (ctx, { kind, after }) => {
    if (!NOT_OF_GOALS.includes(kind)) await refreshClocks(ctx, after)
  },
}
