import type { TicketRow } from '../tickets/tables.ts'
import type { Clock } from './clocks.ts'
import type { GoalName } from './events.ts'

export const GOAL_NAMES = ['first', 'next', 'resolution'] as const satisfies readonly GoalName[]

/** The columns of a ticket about one goal. */
export interface Stamps {
  readonly since: Date | null
  readonly targetAt: Date | null
  readonly metAt: Date | null
  readonly warnedAt: Date | null
  readonly breachedAt: Date | null
}

/** The stored state of a ticket's goal. */
export function stampsOf(ticket: TicketRow, goal: GoalName): Stamps {
  const of = <What extends 'TargetAt' | 'MetAt' | 'WarnedAt' | 'BreachedAt'>(what: What) =>
    ticket[`${goal}${what}`]
  return {
    // Only the next response starts over.
    since: goal === 'next' ? ticket.nextSince : ticket.createdAt,
    ...{ targetAt: of('TargetAt'), metAt: of('MetAt') },
    ...{ warnedAt: of('WarnedAt'), breachedAt: of('BreachedAt') },
  }
}

/**
 * The new state of a ticket's goal. Stored results stay: a lowered goal does not turn a met one into
 * a missed one, and nobody is notified twice of the same.
 */
export function settle(
  clock: Clock,
  before: Stamps,
  now: Date,
  goal: GoalName,
): { readonly stamps: Stamps; readonly news?: 'near' | 'missed' } {
  const isSame = before.since?.getTime() === (clock.sinceMs ?? undefined)
  if (isSame && before.metAt !== null && before.metAt.getTime() === clock.metAtMs)
    return { stamps: before }
  // The answer was moved to another ticket with its message, but it was given.
  if (goal === 'first' && before.metAt !== null && clock.metAtMs === null) return { stamps: before }
  const warnedAt = isSame ? before.warnedAt : null
  const breachedAt = isSame ? before.breachedAt : null
  const targetAt = dateOf(clock.targetAtMs)
  const stamps = {
    ...{ since: dateOf(clock.sinceMs), targetAt, metAt: dateOf(clock.metAtMs) },
    warnedAt: clock.warned ? (warnedAt ?? now) : null,
    breachedAt: clock.breached ? (breachedAt ?? targetAt ?? now) : null,
  }
  if (stamps.breachedAt && !breachedAt) return { stamps, news: 'missed' }
  if (stamps.warnedAt && !warnedAt && !stamps.breachedAt && clock.metAtMs === null)
    return { stamps, news: 'near' }
  return { stamps }
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))
