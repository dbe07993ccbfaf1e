import { instantOf, wallOf } from '../../cron/wall-clock.ts'
import { type BusinessHours, WEEKDAYS } from './business-hours.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** How far ahead open hours are looked for before a goal is given up. */
const HORIZON_DAYS = 730

/** The hours that a goal counts: every hour, or those of the desk. */
export type Calendar = 'always' | BusinessHours

/** A stretch of real time in which the desk is open. */
interface Open {
  readonly fromMs: number
  readonly toMs: number
}

function wallMsOf(dayMs: number, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return dayMs + (hours * 60 + minutes) * MINUTE_MS
}

/** The open stretches from the day of an instant on, in order, none of them empty. */
function* openFrom(hours: BusinessHours, fromMs: number): Generator<Open> {
  const special = new Map(hours.holidays.map(({ date, intervals }) => [date, intervals]))
  const zone = hours.timeZone
  const today = Math.floor(wallOf(zone, fromMs) / DAY_MS) * DAY_MS
  for (let day = 0; day <= HORIZON_DAYS; day++) {
    const dayMs = today + day * DAY_MS
    const date = new Date(dayMs)
    const weekday = WEEKDAYS[date.getUTCDay()] ?? 'sun'
    const intervals = special.get(date.toISOString().slice(0, 10)) ?? hours.week[weekday]
    for (const [opens, closes] of intervals) {
      // What the clock skips is no time, and what it shows twice counts twice: only instants are compared.
      const open = {
        fromMs: instantOf(zone, wallMsOf(dayMs, opens)).atMs,
        toMs: instantOf(zone, wallMsOf(dayMs, closes)).atMs,
      }
      if (open.toMs > open.fromMs) yield open
    }
  }
}

/**
 * The instant at which a time of open hours has passed since `fromMs`.
 * @returns undefined if the desk does not open that long in the next two years
 */
export function afterOpenTime(
  calendar: Calendar,
  fromMs: number,
  openMs: number,
): number | undefined {
  if (calendar === 'always') return fromMs + openMs
  let leftMs = openMs
  for (const open of openFrom(calendar, fromMs)) {
    const startMs = Math.max(open.fromMs, fromMs)
    if (startMs > open.toMs) continue
    if (leftMs <= open.toMs - startMs) return startMs + leftMs
    leftMs -= open.toMs - startMs
  }
  return undefined
}

/** The open stretches between two instants, cut off at both. */
function* openWithin(hours: BusinessHours, fromMs: number, toMs: number): Generator<Open> {
  // Longer stretches than the horizon are taken in turns, each from where the last one ended.
  for (let startMs = fromMs; startMs < toMs; startMs += HORIZON_DAYS * DAY_MS) {
    const endMs = Math.min(toMs, startMs + HORIZON_DAYS * DAY_MS)
    for (const open of openFrom(hours, startMs)) {
      if (open.fromMs >= endMs) break
      const cut = { fromMs: Math.max(open.fromMs, startMs), toMs: Math.min(open.toMs, endMs) }
      if (cut.toMs > cut.fromMs) yield cut
    }
  }
}

/** How much of the time between two instants the desk was open. */
export function openTimeBetween(calendar: Calendar, fromMs: number, toMs: number): number {
  if (toMs <= fromMs) return 0
  if (calendar === 'always') return toMs - fromMs
  let sumMs = 0
  for (const open of openWithin(calendar, fromMs, toMs)) sumMs += open.toMs - open.fromMs
  return sumMs
}

/**
 * `openTimeBetween` for very many pairs of instants, all of them between two: the hours are read
 * once, and each answer is two binary searches.
 */
export function openClock(
  hours: BusinessHours,
  fromMs: number,
  toMs: number,
): (fromMs: number, toMs: number) => number {
  const stretches = [...openWithin(hours, fromMs, toMs)]
  let sumMs = 0
  const before = stretches.map((open) => {
    const beforeMs = sumMs
    sumMs += open.toMs - open.fromMs
    return beforeMs
  })
  const passedAt = (atMs: number): number => {
    let [low, high] = [0, stretches.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((stretches[middle]?.fromMs ?? atMs) < atMs) low = middle + 1
      else high = middle
    }
    const open = stretches[low - 1]
    return open ? (before[low - 1] ?? 0) + Math.min(atMs, open.toMs) - open.fromMs : 0
  }
  return (startMs, endMs) => Math.max(0, passedAt(endMs) - passedAt(startMs))
}

/** Whether the desk is open at an instant. */
export function isOpenAt(calendar: Calendar, atMs: number): boolean {
  return openTimeBetween(calendar, atMs, atMs + 1) > 0
}
