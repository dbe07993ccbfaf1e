import { dateText } from './timestamps.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The two largest units of a duration in milliseconds: `2 d 4 h`, `5 min 3 s`, `12 s`. */
export function duration(ms: number): string {
  const whole = Math.max(0, ms)
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)} s`
  if (whole < HOUR)
    return `${Math.floor(whole / MINUTE)} min ${Math.floor((whole % MINUTE) / SECOND)} s`
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`
  return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`
}

/** A moment in everyday words, relative to `now`; both in milliseconds since 1970. */
export function ago(at: number, now: number): string {
  const passed = now - at
  if (passed < -MINUTE) return `in ${duration(-passed)}`
  if (passed < 10 * SECOND) return 'just now'
  if (passed < MINUTE) return `${Math.floor(passed / SECOND)} s ago`
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`
  if (passed < 7 * DAY) return `${Math.floor(passed / DAY)} d ago`
  return dateText(at, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
}
