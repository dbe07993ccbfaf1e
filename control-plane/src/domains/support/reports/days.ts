import { wallOf } from '@lodge/shared/cron/wall-clock.ts'
import { type Days, dateOf, dayOf, daysOf, daysSinceMonday } from '@lodge/shared/cron/zone-days.ts'
import { REPORT_DAYS, type ReportQuery } from '@lodge/shared/support/reports.ts'
import { invalid } from '../../../http/input.ts'

const DAY_MS = 86_400_000

/**
 * The days of a report.
 * @throws {Problem} validation_failed if there are too many, or they are too long ago or not over yet
 */
export function rangeOf(
  { days, from, to }: Pick<ReportQuery, 'days' | 'from' | 'to'>,
  zone: string,
  now: Date,
): Days {
  const today = Math.floor(wallOf(zone, now.getTime()) / DAY_MS)
  const last = to === undefined ? today : dayOf(to)
  const first = from === undefined ? last - days + 1 : dayOf(from)
  const refused = (pointer: string, detail: string) => invalid([{ pointer, detail }])
  if (last > today) throw refused('/to', `is after today, ${dateOf(today)}`)
  if (first > last) throw refused('/from', 'is after the last day')
  if (last - first >= REPORT_DAYS.most)
    throw refused('/from', `is more than ${REPORT_DAYS.most} days before the last day`)
  if (today - first >= REPORT_DAYS.oldest)
    throw refused('/from', `is more than ${REPORT_DAYS.oldest} days ago`)
  return daysOf(zone, first, last)
}

/** The days or weeks of a range; the first and the last week are cut at its ends. */
export function partsOf(zone: string, range: Days, every: ReportQuery['every']): Days[] {
  const [first, last] = [dayOf(range.from), dayOf(range.to)]
  const parts: Days[] = []
  for (let day = first; day <= last; ) {
    const left = every === 'day' ? 0 : 6 - daysSinceMonday(day)
    const end = Math.min(last, day + left)
    parts.push(daysOf(zone, day, end))
    day = end + 1
  }
  return parts
}
