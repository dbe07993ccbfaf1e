import type { TicketStatus } from './ticket-words.ts'

/** How tickets move between their states: the same rules for the desk, its rules and the panel. */

/** When a ticket got to where it is. */
export interface Moments {
  readonly status: TicketStatus
  readonly solvedAt: Date | null
  readonly closedAt: Date | null
}
interface Window {
  readonly reopenDays: number
}

const DAY_MS = 86_400_000
/** Days in which a rating can be given or changed, from the solution on. */
export const RATING_DAYS = 14

const within = (since: Date | null, days: number, now: Date): boolean =>
  since !== null && now.getTime() - since.getTime() <= days * DAY_MS

/** Neither solved nor closed. */
export const staysOpen = (status: TicketStatus): boolean =>
  status !== 'solved' && status !== 'closed'

/** What a reply of the customer makes of a ticket; `follow_up` opens another one. */
export function afterCustomerReply(
  { status, solvedAt }: Moments,
  { reopenDays }: Window,
  now: Date,
): TicketStatus | 'follow_up' {
  if (status === 'new') return 'new'
  if (status === 'closed') return 'follow_up'
  if (status === 'solved') return within(solvedAt, reopenDays, now) ? 'open' : 'follow_up'
  return 'open'
}

/** What agents may set by hand, by what it is. */
export const AGENT_MOVES: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  new: ['open', 'pending', 'on_hold', 'solved'],
  open: ['pending', 'on_hold', 'solved'],
  pending: ['open', 'on_hold', 'solved'],
  on_hold: ['open', 'pending', 'solved'],
  solved: ['open', 'closed'],
  closed: ['open'],
}

/**
 * What an answer of an agent makes of a ticket; null where none is possible.
 * @param chosen what the agent wants it to be
 */
export function afterAgentReply(status: TicketStatus, chosen?: TicketStatus): TicketStatus | null {
  if (status === 'closed') return null
  if (chosen === undefined || chosen === status)
    return chosen ?? (status === 'solved' ? 'solved' : 'pending')
  return AGENT_MOVES[status].includes(chosen) ? chosen : null
}

/** What giving a ticket to an agent makes of it; null where that is not possible. */
export const afterAssignment = (status: TicketStatus): TicketStatus | null => {
  if (status === 'closed') return null
  return status === 'new' ? 'open' : status
}

/** Whether somebody can have a ticket opened again. Agents always can. */
export function mayReopen(
  { status, solvedAt, closedAt }: Moments,
  agent: boolean,
  { reopenDays }: Window,
  now: Date,
): boolean {
  if (staysOpen(status)) return false
  if (agent) return true
  return within(status === 'solved' ? solvedAt : closedAt, reopenDays, now)
}

/** Whether the requester can say how it went, or say it again. */
export const mayRate = (
  { status, solvedAt }: Pick<Moments, 'status' | 'solvedAt'>,
  now: Date,
): boolean => !staysOpen(status) && within(solvedAt, RATING_DAYS, now)
