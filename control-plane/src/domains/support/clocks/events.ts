import { panelPath } from '@lodge/shared/panel-paths.ts'
import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type { Notices, NoticeTypes } from '../../../events/notices.ts'
import { wordsFor } from '../../../said-in.ts'
import type { ChangedBy } from '../tickets/events.ts'
import type { TicketRow } from '../tickets/tables.ts'
import { t } from './words.ts'

export type GoalName = 'first' | 'next' | 'resolution'

interface GoalEvent {
  readonly ticket: TicketRow
  readonly goal: GoalName
  /** The agents concerned: the assignee, otherwise the members of the group. */
  readonly agentIds: readonly string[]
  /** Who made the change; the system if only time passed. A change by a rule starts no other rule. */
  readonly by: ChangedBy
}

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /** Three quarters of a goal's time have passed. Once per run of the goal. */
    'ticket.goal_near': GoalEvent
    /** A goal was missed. Once per run of the goal. */
    'ticket.goal_missed': GoalEvent
  }
}

export const goalNoticeTypes: NoticeTypes = {
  'ticket.goal_near': {
    title: 'A goal of a ticket is near',
    severity: 'warn',
    group: 'host',
    staff: 'support.view',
  },
  'ticket.goal_missed': {
    title: 'A goal of a ticket was missed',
    severity: 'error',
    group: 'host',
    staff: 'support.view',
  },
}

/** Notices about goals. */
export const goalNotices: Notices = {
  'ticket.goal_near': [
    {
      type: 'ticket.goal_near',
      to: ({ agentIds }) => ({ users: agentIds, orStaff: 'support.reply' }),
      notice: ({ ticket, goal }, reader) => ({
        title: wordsFor(t, reader).near({ goal, ticket: ticketNumber(ticket.number) }),
        body: ticket.subject,
        link: panelPath('deskTicket', { id: ticket.id }),
        groupKey: `ticket.goal_near:${ticket.id}`,
      }),
    },
  ],
  'ticket.goal_missed': [
    {
      type: 'ticket.goal_missed',
      to: ({ agentIds }) => ({ users: agentIds, orStaff: 'support.reply' }),
      notice: ({ ticket, goal }, reader) => ({
        title: wordsFor(t, reader).late({ goal, ticket: ticketNumber(ticket.number) }),
        body: ticket.subject,
        link: panelPath('deskTicket', { id: ticket.id }),
        groupKey: `ticket.goal_missed:${ticket.id}`,
      }),
    },
  ],
}
