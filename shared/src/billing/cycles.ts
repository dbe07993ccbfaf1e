/** How often a subscription renews. */
export const CYCLES = [
  'weekly',
  'monthly',
  'quarterly',
  'semiannual',
  'yearly',
  'biennial',
  'triennial',
] as const
export type Cycle = (typeof CYCLES)[number]

const MONTHS: Record<Exclude<Cycle, 'weekly'>, number> = {
  monthly: 1,
  quarterly: 3,
  semiannual: 6,
  yearly: 12,
  biennial: 24,
  triennial: 36,
}
const WEEK_MS = 7 * 24 * 3_600_000

/**
 * When the given number of periods after the anchor is over, in UTC. Months too short for the anchor's day end on their
 * last day, and the next longer one has the anchor's day again: so it counts from the anchor, never from the last end.
 */
export function periodEnd(anchor: Date, cycle: Cycle, periods: number): Date {
  if (cycle === 'weekly') return new Date(anchor.getTime() + periods * WEEK_MS)
  const end = new Date(anchor)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + periods * MONTHS[cycle])
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(anchor.getUTCDate(), lastDay))
  return end
}

/** A time that was paid for: from its start up to its end, which belongs to the next one. */
export type Period = { startsAt: Date; endsAt: Date }

/** The period that contains the time; before the anchor it is the first one. */
export function periodAt(anchor: Date, cycle: Cycle, at: Date): Period {
  let periods = 0
  while (periodEnd(anchor, cycle, periods + 1) <= at) periods += 1
  return {
    startsAt: periodEnd(anchor, cycle, periods),
    endsAt: periodEnd(anchor, cycle, periods + 1),
  }
}
