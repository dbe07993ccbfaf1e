import type { ReportKind } from '@lodge/shared/support/reports.ts'
import { given, type Raw, text } from '../../routes/search.ts'

const SHOWN = ['pending', 'solved', 'closed'] as const

/** The view in the URL of the person's own tickets; by default all of them. */
export const ownTicketsSearch = (raw: Raw) =>
  given({ shown: SHOWN.find((one) => one === raw.shown), after: text(raw.after) })

/** The subject of a new ticket, as the linking page knows it. */
export const newTicketSearch = (raw: Raw) =>
  given({ server: text(raw.server), category: text(raw.category), customer: text(raw.customer) })

const KINDS = [
  'agent',
  'group',
  'category',
  'priority',
  'source',
  'tier',
] as const satisfies ReportKind[]
export const REPORTED_DAYS = [7, 30, 90] as const

/** The number of days of a report, and its grouping. */
export const reportSearch = (raw: Raw) =>
  given({
    days: REPORTED_DAYS.find((count) => count === Number(raw.days)),
    by: KINDS.find((kind) => kind === raw.by),
  })

export type ReportSearch = ReturnType<typeof reportSearch>
