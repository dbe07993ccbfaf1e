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
  /** Whom it concerns: who has the ticket, or else the members of its group. */
  readonly agentIds: readonly string[]
  /** Who changed the ticket so; the system where only time passed. A rule starts no other rule. */
  readonly by: ChangedBy
}

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /** Three quarters of the time of a goal have passed. Once for each time that the goal runs. */
    'ticket.goal_near': GoalEvent
    /** A goal was missed. Once for each time that the goal runs. */
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

/** Which goals are told to whom, in which words. */
export const goalNotices: Notices = {
  'ticket.goal_near': [
    {
      type: 'ticket.goal_near',
      to: ({ agentIds }) => ({ users: agentIds }),
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
      to: ({ agentIds }) => ({ users: agentIds }),
      notice: ({ ticket, goal }, reader) => ({
        title: wordsFor(t, reader).late({ goal, ticket: ticketNumber(ticket.number) }),
        body: ticket.subject,
        link: panelPath('deskTicket', { id: ticket.id }),
        groupKey: `ticket.goal_missed:${ticket.id}`,
      }),
    },
  ],
}
