import { clockText, dateText, timestampText } from '../locale/timestamps.ts'
import { t } from '../page/words.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The two largest units of a duration in milliseconds: `2 d 4 h`, `5 min 3 s`, `12 s`. */
export function duration(ms: number): string {
  const whole = Math.max(0, ms)
  const seconds = Math.floor((whole % MINUTE) / SECOND)
  const minutes = Math.floor((whole % HOUR) / MINUTE)
  const hours = Math.floor((whole % DAY) / HOUR)
  if (whole < MINUTE) return t.seconds({ seconds })
  if (whole < HOUR) return t.minutes({ minutes, seconds })
  if (whole < DAY) return t.hours({ hours, minutes })
  return t.days({ days: Math.floor(whole / DAY), hours })
}

/** A moment in everyday words, relative to `now`; both in milliseconds since 1970. */
export function ago(at: number, now: number): string {
  const passed = now - at
  if (passed < -MINUTE) return t.inFuture({ duration: duration(-passed) })
  if (passed < 10 * SECOND) return t.justNow
  if (passed < MINUTE) return t.secondsAgo({ count: Math.floor(passed / SECOND) })
  if (passed < HOUR) return t.minutesAgo({ count: Math.floor(passed / MINUTE) })
  if (passed < DAY) return t.hoursAgo({ count: Math.floor(passed / HOUR) })
  if (passed < 7 * DAY) return t.daysAgo({ count: Math.floor(passed / DAY) })
  return dateText(at, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
}

/**
 * A moment to follow a word such as "since" or "until": the time, with the date if that is not the
 * one of `now`; both in milliseconds since 1970.
 */
export function moment(at: number, now: number): string {
  if (dateText(at) === dateText(now)) return clockText(at)
  const year = { year: 'numeric' } as const
  return timestampText(at, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(dateText(at, year) === dateText(now, year) ? {} : year),
  })
}
