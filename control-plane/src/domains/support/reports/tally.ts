import type { Durations, ReportFigures } from '@lodge/shared/support/reports.ts'

type Goal = keyof ReportFigures['goals']

/** Counters for the figures of a period, an agent and so on. */
export interface Tally {
  created: number
  solved: number
  reopened: number
  /** At the end. */
  backlog: number
  readonly firstResponse: Taken[]
  readonly resolution: Taken[]
  readonly goals: Record<Goal, { met: number; missed: number }>
  /** Number of replies, for each solved ticket. */
  readonly replies: number[]
  readonly scores: number[]
  asked: number
  answered: number
}

/** Durations. */
export interface Taken {
  readonly businessMs: number
  readonly wallMs: number
}

export const newTally = (): Tally => ({
  ...{ created: 0, solved: 0, reopened: 0, backlog: 0, asked: 0, answered: 0 },
  ...{ firstResponse: [], resolution: [], replies: [], scores: [] },
  goals: {
    first: { met: 0, missed: 0 },
    next: { met: 0, missed: 0 },
    resolution: { met: 0, missed: 0 },
  },
})

export function figuresOf(tally: Tally): ReportFigures {
  const { created, solved, reopened, backlog, goals, replies, scores, asked, answered } = tally
  return {
    ...{ created, solved, reopened, backlog, goals },
    firstResponse: durationsOf(tally.firstResponse),
    resolution: durationsOf(tally.resolution),
    oneTouchPercent: percentOf(replies.filter((count) => count <= 1).length, replies.length),
    repliesPerTicket: averageOf(replies),
    ratings: {
      ...{ count: scores.length, average: averageOf(scores), asked },
      answeredPercent: percentOf(answered, asked),
    },
  }
}

const MINUTE_MS = 60_000
const rounded = (value: number, digits: number): number =>
  Math.round(value * 10 ** digits) / 10 ** digits

const averageOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : rounded(values.reduce((a, b) => a + b, 0) / values.length, 2)
const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : rounded((part / whole) * 100, 1)

function durationsOf(taken: readonly Taken[]): Durations {
  const of = (values: number[]) => {
    const sorted = values.sort((a, b) => a - b)
    return { medianMinutes: minutesAt(sorted, 0.5), p90Minutes: minutesAt(sorted, 0.9) }
  }
  return {
    count: taken.length,
    business: of(taken.map(({ businessMs }) => businessMs)),
    wall: of(taken.map(({ wallMs }) => wallMs)),
  }
}

/** A quantile of sorted values, interpolated between two of them. */
function minutesAt(sorted: readonly number[], part: number): number | null {
  const place = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  if (low === undefined || high === undefined) return null
  return rounded((low + (high - low) * (place % 1)) / MINUTE_MS, 1)
}
