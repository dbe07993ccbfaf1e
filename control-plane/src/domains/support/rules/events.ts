import { panelPath } from '@lodge/shared/panel-paths.ts'
import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type { Notices, NoticeTypes } from '../../../events/notices.ts'
import type { TicketRow } from '../tickets/tables.ts'

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A rule notifies agents of a ticket. */
    'ticket.rule_told': { ticket: TicketRow; ruleName: string; agentIds: readonly string[] }
  }
}

export const ruleNoticeTypes: NoticeTypes = {
  'ticket.rule': {
    title: 'A rule of the support desk points to a ticket',
    severity: 'info',
    group: 'host',
    staff: 'support.view',
  },
}

/** Notices that rules send. */
export const ruleNotices: Notices = {
  'ticket.rule_told': [
    {
      type: 'ticket.rule',
      to: ({ agentIds }) => ({ users: agentIds }),
      notice: ({ ticket, ruleName }) => ({
        title: `${ruleName}: ${ticketNumber(ticket.number)}`,
        body: ticket.subject,
        link: panelPath('deskTicket', { id: ticket.id }),
        groupKey: `ticket.rule:${ticket.id}`,
      }),
    },
  ],
}
