import { REVENUE_PERIODS, type RevenueQuery } from '@lodge/shared/billing/revenue.ts'
import { wallOf } from '@lodge/shared/cron/wall-clock.ts'
import { type Days, dateOf, dayOf, daysOf, daysSinceMonday } from '@lodge/shared/cron/zone-days.ts'
import { invalid } from '../../../http/input.ts'

const DAY_MS = 86_400_000
const MONTHS = 12

type By = RevenueQuery['by']

/** The Monday of the first week of 1970. */
const FIRST_MONDAY = -daysSinceMonday(0)

/** Months are counted since the year 0, weeks since 1970. */
const countOf = (by: By, day: number): number => {
  if (by === 'week') return (day - daysSinceMonday(day) - FIRST_MONDAY) / 7
  const date = new Date(day * DAY_MS)
  return date.getUTCFullYear() * MONTHS + date.getUTCMonth()
}
const firstDayOf = (by: By, count: number): number =>
  by === 'week'
    ? FIRST_MONDAY + count * 7
    : Date.UTC(Math.floor(count / MONTHS), count % MONTHS, 1) / DAY_MS

/**
 * The whole months or weeks from that of the first day to that of the last, in a time zone; the last
 * one may not be over yet.
 * @throws {Problem} validation_failed if there are too many, or they are too long ago or in the
 * future
 */
export function periodsOf(
  { periods, from, to, by }: Pick<RevenueQuery, 'periods' | 'from' | 'to' | 'by'>,
  zone: string,
  now: Date,
): Days[] {
  const { most, sinceYear } = REVENUE_PERIODS
  const today = Math.floor(wallOf(zone, now.getTime()) / DAY_MS)
  const refused = (pointer: string, detail: string) => invalid([{ pointer, detail }])
  const lastDay = to === undefined ? today : dayOf(to)
  if (lastDay > today) throw refused('/to', `is after today, ${dateOf(today)}`)
  const last = countOf(by, lastDay)
  const first = from === undefined ? last - periods + 1 : countOf(by, dayOf(from))
  if (first > last) throw refused('/from', 'is after the last day')
  if (last - first >= most)
    throw refused(
      '/from',
      `begins more than ${most} ${by}s before the last day: choose a later one`,
    )
  if (firstDayOf(by, first) < Date.UTC(sinceYear, 0, 1) / DAY_MS)
    throw refused(from === undefined ? '/to' : '/from', `is before ${sinceYear}`)
  return Array.from({ length: last - first + 1 }, (_, at) =>
    daysOf(zone, firstDayOf(by, first + at), firstDayOf(by, first + at + 1) - 1),
  )
}
