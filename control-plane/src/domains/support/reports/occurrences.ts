import type { TicketStatus } from '@lodge/shared/support/ticket-words.ts'
import { staysOpen } from '@lodge/shared/support/transitions.ts'
import type { TicketFacts } from './store.ts'
import type { Taken, Tally } from './tally.ts'

/** Something that figures count. */
export interface Occurrence {
  readonly atMs: number
  readonly count: (tally: Tally) => void
  /** The change in the number of open tickets. */
  readonly opens: -1 | 0 | 1
}

type OpenTime = (fromMs: number, toMs: number) => number

/**
 * Everything about a ticket that figures count, in no order.
 * @param openTime how much of the time between two instants the desk was open
 */
export function occurrencesOf(facts: TicketFacts, openTime: OpenTime): Occurrence[] {
  const { createdAt, firstMetAt, solvedAt, askedAt, score, ratedAt, replies } = facts
  const found: Occurrence[] = []
  const add = (at: Date | null, count: Occurrence['count'], opens: Occurrence['opens'] = 0) => {
    if (at) found.push({ atMs: at.getTime(), count, opens })
  }
  add(createdAt, (tally) => tally.created++, 1)
  for (const { atMs, from, to } of facts.moves) {
    const opens = opensBy(from, to)
    if (opens < 0) add(new Date(atMs), (tally) => tally.solved++, opens)
    if (opens > 0) add(new Date(atMs), (tally) => tally.reopened++, opens)
  }
  if (firstMetAt) {
    const taken = takenBetween(createdAt, firstMetAt, openTime)
    add(firstMetAt, (tally) => tally.firstResponse.push(taken))
  }
  if (solvedAt && !staysOpen(facts.status)) {
    const taken = takenBetween(createdAt, solvedAt, openTime)
    add(solvedAt, (tally) => {
      tally.resolution.push(taken)
      tally.replies.push(replies)
    })
  }
  const goals = {
    first: [facts.firstBreachedAt, facts.firstTargetAt && firstMetAt],
    next: [facts.nextBreachedAt, facts.nextTargetAt && facts.nextMetAt],
    resolution: [facts.resolutionBreachedAt, facts.resolutionMetAt],
  } as const
  for (const name of ['first', 'next', 'resolution'] as const) {
    const [missedAt, metAt] = goals[name]
    if (missedAt) add(missedAt, ({ goals }) => goals[name].missed++)
    else add(metAt, ({ goals }) => goals[name].met++)
  }
  if (score !== null) add(ratedAt, ({ scores }) => scores.push(score))
  add(askedAt, (tally) => {
    tally.asked++
    if (score !== null) tally.answered++
  })
  return found
}

function opensBy(from: TicketStatus, to: TicketStatus): -1 | 0 | 1 {
  if (staysOpen(from) === staysOpen(to)) return 0
  return staysOpen(to) ? 1 : -1
}

const takenBetween = (from: Date, to: Date, openTime: OpenTime): Taken => ({
  businessMs: openTime(from.getTime(), to.getTime()),
  wallMs: Math.max(0, to.getTime() - from.getTime()),
})
