import { panelPath } from '@lodge/shared/panel-paths.ts'
import { ticketNumber } from '@lodge/shared/support/ticket-words.ts'
import type { Audience, NoticeRule, Notices, NoticeTypes } from '../../../events/notices.ts'
import { wordsFor } from '../../../said-in.ts'
import type { TicketChange } from '../tickets/events.ts'
import { t } from './words.ts'

const NOBODY: Audience = { users: [] }

/** Agents choose which tickets they are notified about; customers are notified about their own. */
export const ticketNoticeTypes: NoticeTypes = {
  'ticket.opened': {
    ...{ title: 'A customer opened a ticket', severity: 'info', group: 'host' },
    staff: 'support.view',
  },
  'ticket.customer_replied': {
    ...{ title: 'A customer replied in a ticket', severity: 'info', group: 'host' },
    staff: 'support.view',
  },
  'ticket.assigned': {
    ...{ title: 'You were given a ticket', severity: 'info', group: 'host' },
    staff: 'support.view',
  },
  'ticket.file_infected': {
    ...{ title: 'A scanner refused a file of a ticket', severity: 'warn', group: 'host' },
    staff: 'support.view',
  },
  'ticket.answered': {
    ...{ title: 'The support answered your ticket', severity: 'info', group: 'account' },
  },
  'ticket.waiting': {
    ...{ title: 'A ticket waits for your answer', severity: 'info', group: 'account' },
  },
  'ticket.rating': {
    ...{ title: 'The support asks how it went', severity: 'info', group: 'account' },
  },
}

const ticketNotice = (
  type: keyof typeof ticketNoticeTypes & string,
  to: (change: TicketChange) => Audience,
  title: (words: typeof t, ticket: string) => string,
): NoticeRule<TicketChange> => ({
  type,
  to: (change) => (change.after.spam ? NOBODY : to(change)),
  notice: ({ after }, reader) => ({
    title: title(wordsFor(t, reader), ticketNumber(after.number)),
    body: after.subject,
    link: panelPath(ticketNoticeTypes[type]?.staff ? 'deskTicket' : 'ticket', { id: after.id }),
    groupKey: `${type}:${after.id}`,
  }),
})

const requester = ({ after }: TicketChange): Audience => ({ users: [after.requesterId] })
/** The assignee; without one, or once that is no agent any more, all who answer tickets. */
const agents = ({ after }: Pick<TicketChange, 'after'>): Audience =>
  after.assigneeId === null
    ? { staff: 'support.reply' }
    : { users: [after.assigneeId], orStaff: 'support.reply' }

export const ticketNotices: Notices = {
  'ticket.file_infected': [
    {
      type: 'ticket.file_infected',
      to: ({ ticket }) => (ticket.spam ? NOBODY : agents({ after: ticket })),
      notice: ({ ticket, name, why }, reader) => ({
        title: wordsFor(t, reader).fileInfected({ ticket: ticketNumber(ticket.number) }),
        body: `${name}: ${why}`,
        link: panelPath('deskTicket', { id: ticket.id }),
        groupKey: `ticket.file_infected:${ticket.id}`,
      }),
    },
  ],
  'ticket.changed': [
    ticketNotice(
      'ticket.opened',
      (change) =>
        change.kind === 'created' && change.by.kind === 'customer' ? agents(change) : NOBODY,
      (words, ticket) => words.opened({ ticket }),
    ),
    ticketNotice(
      'ticket.customer_replied',
      (change) => (change.kind === 'customer_reply' ? agents(change) : NOBODY),
      (words, ticket) => words.customerReplied({ ticket }),
    ),
    ticketNotice(
      'ticket.assigned',
      ({ before, after, by }) =>
        before && after.assigneeId !== before.assigneeId && after.assigneeId !== by.id
          ? { users: [after.assigneeId] }
          : NOBODY,
      (words, ticket) => words.assigned({ ticket }),
    ),
    ticketNotice(
      'ticket.answered',
      (change) =>
        change.kind === 'agent_reply' || (change.kind === 'created' && change.by.kind === 'agent')
          ? requester(change)
          : NOBODY,
      (words, ticket) => words.answered({ ticket }),
    ),
    ticketNotice(
      'ticket.waiting',
      (change) => (change.kind === 'reminded' ? requester(change) : NOBODY),
      (words, ticket) => words.waiting({ ticket }),
    ),
    ticketNotice(
      'ticket.rating',
      (change) => (change.kind === 'rating_asked' ? requester(change) : NOBODY),
      (words, ticket) => words.rating({ ticket }),
    ),
  ],
}
