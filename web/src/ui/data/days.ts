import { dateText } from '../locale/timestamps.ts'
import { t } from './words.ts'

const DAY_MS = 86_400_000

/** The day of a moment in the reader's time zone, as a text to compare. */
export const dayText = (at: string | number): string =>
  dateText(at, { year: 'numeric', month: '2-digit', day: '2-digit' })

/** A day as a heading: `Today`, `Yesterday`, else with its weekday. */
export function dayWords(at: string, now = Date.now()): string {
  const day = dayText(at)
  if (day === dayText(now)) return t.today
  if (day === dayText(now - DAY_MS)) return t.yesterday
  return dateText(at, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
}
