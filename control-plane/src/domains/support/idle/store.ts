import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportRatings, supportTickets as ticket } from '../tickets/tables.ts'

export const ANY_SNOOZE_OVER = 'select from support_tickets where snoozed_until <= now()'

const AT_ONCE = 100

/** Steps that are due only because time has passed. */
export type Due = 'snooze_over' | 'reminded' | 'solved' | 'closed' | 'rating_asked'

/** Since when a ticket must have been in its state for each step. */
export interface Deadlines {
  readonly now: Date
  readonly remind: Date | null
  readonly solve: Date | null
  readonly close: Date | null
  /** Solved before this, and after `rateFrom`. */
  readonly rate: Date | null
  readonly rateFrom: Date
}

/** Tickets that wait for the customer: since the last answer, while not snoozed. */
const waiting = (before: Date) =>
  and(
    eq(ticket.status, 'pending'),
    eq(ticket.spam, false),
    isNull(ticket.snoozedUntil),
    lt(sql`greatest(${ticket.statusSince}, ${ticket.lastAgentAt})`, before),
  )

function conditionOf(due: Due, at: Deadlines): SQL | undefined {
  const { now, remind, solve, close, rate } = at
  if (due === 'snooze_over') return lte(ticket.snoozedUntil, now)
  if (due === 'reminded') return remind ? and(waiting(remind), isNull(ticket.remindedAt)) : NEVER
  if (due === 'solved') return solve ? waiting(solve) : NEVER
  if (due === 'closed')
    return close ? and(eq(ticket.status, 'solved'), lt(ticket.statusSince, close)) : NEVER
  if (!rate) return NEVER
  return and(
    inArray(ticket.status, ['solved', 'closed']),
    eq(ticket.solvedBy, 'agent'),
    eq(ticket.spam, false),
    isNull(ticket.mergedInto),
    isNotNull(ticket.requesterId),
    isNull(ticket.ratingAskedAt),
    lt(ticket.solvedAt, rate),
    gt(ticket.solvedAt, at.rateFrom),
    sql`not exists (select from ${supportRatings} rated where rated.ticket_id = ${ticket.id})`,
  )
}

const NEVER = sql`false`

export async function listDue(db: Db, due: Due, at: Deadlines): Promise<string[]> {
  const rows = await db
    .select({ id: ticket.id })
    .from(ticket)
    .where(conditionOf(due, at))
    .orderBy(asc(ticket.statusSince), asc(ticket.id))
    .limit(AT_ONCE)
  return rows.map(({ id }) => id)
}

/** Whether it is still due, once the ticket is locked. */
export async function isDue(db: Db, id: string, due: Due, at: Deadlines): Promise<boolean> {
  const rows = await db
    .select({ id: ticket.id })
    .from(ticket)
    .where(and(eq(ticket.id, id), conditionOf(due, at)))
  return rows.length > 0
}
