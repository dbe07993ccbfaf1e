import type { ReportKind } from '@lodge/shared/support/reports.ts'
import { given, type Raw, text } from '../../routes/search.ts'

const SHOWN = ['pending', 'solved', 'closed'] as const

/** The view in the address of the own tickets; all of them if it names none. */
export const ownTicketsSearch = (raw: Raw) =>
  given({ shown: SHOWN.find((one) => one === raw.shown), after: text(raw.after) })

/** What a new ticket is about, as the page that leads to it knows. */
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

/** How many days a report covers, and by what its figures are told apart. */
export const reportSearch = (raw: Raw) =>
  given({
    days: REPORTED_DAYS.find((count) => count === Number(raw.days)),
    by: KINDS.find((kind) => kind === raw.by),
  })

export type ReportSearch = ReturnType<typeof reportSearch>
