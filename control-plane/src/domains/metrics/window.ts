import { METRICS_DAYS, METRICS_RANGES, type MetricsRange } from '@lodge/shared/metrics-time.ts'
import type { MetricsQuery } from '@lodge/shared/servers.ts'
import { Problem } from '../../problem.ts'

/** A part of the history and its resolution. */
export interface Window {
  readonly from: Date
  readonly to: Date
  readonly stepSeconds: number
  /** Null when two moments were asked for instead. */
  readonly range: MetricsRange | null
}

const MOST_POINTS = 400
const LEAST_MS = 60_000
const DAY_MS = 86_400_000
const STEPS = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600] as const
/** For how long figures of each resolution are kept, finest first. */
const KEPT = [
  { leastSeconds: 15, forMs: DAY_MS },
  { leastSeconds: 300, forMs: 8 * DAY_MS },
  { leastSeconds: 3600, forMs: METRICS_DAYS * DAY_MS },
] as const

/** What a request asks for: a range up to now, or from one moment to another. */
export function windowOf(asked: MetricsQuery, now: Date): Window {
  if (asked.from === undefined && asked.to === undefined) return rangeOf(asked.range, now)
  const oldest = now.getTime() - METRICS_DAYS * DAY_MS
  const to = Math.min(now.getTime(), asked.to === undefined ? now.getTime() : Date.parse(asked.to))
  const length = METRICS_RANGES[asked.range].seconds * 1000
  const from = Math.max(oldest, asked.from === undefined ? to - length : Date.parse(asked.from))
  if (to - from < LEAST_MS)
    throw new Problem(
      'validation_failed',
      `Ask for at least a minute of the last ${METRICS_DAYS} days, with from before to`,
    )
  return { range: null, stepSeconds: stepOf(from, to, now), from: new Date(from), to: new Date(to) }
}

export function rangeOf(range: MetricsRange, now: Date): Window {
  const { seconds, stepSeconds } = METRICS_RANGES[range]
  return { range, stepSeconds, from: new Date(now.getTime() - seconds * 1000), to: now }
}

/** The finest resolution that is still kept for its start and has few enough points. */
function stepOf(from: number, to: number, now: Date): number {
  const age = now.getTime() - from
  const least = KEPT.find(({ forMs }) => age <= forMs)?.leastSeconds ?? 3600
  const most = (to - from) / 1000 / (MOST_POINTS - 1)
  return STEPS.find((step) => step >= least && step >= most) ?? 21_600
}
