import { clockAheadSeconds, clockText, dateText } from '../locale/timestamps.ts'

/** A label on the time axis; `at` in seconds since 1970. */
interface TimeTick {
  readonly at: number
  readonly label: string
}

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
] as const
/** 1970-01-05: weeks begin on a Monday. */
const MONDAY = 4 * DAY
/** Of 12 px type, rounded up. */
const CHARACTER_PX = 6.5
const BETWEEN_PX = 16

const shortDate = (at: number): string => dateText(at * 1000, { day: 'numeric', month: 'short' })

const labelOf = (at: number, step: number, isMidnight: boolean): string =>
  step >= DAY || isMidnight ? shortDate(at) : clockText(at * 1000, step < MINUTE)

/** The moment at which the reader's clock shows this time (seconds since 1970 as if in UTC). */
function momentOf(local: number): number {
  const guess = local - clockAheadSeconds(local)
  return local - clockAheadSeconds(guess)
}

/**
 * Labels for a time axis of this width, at round times of the reader's clock; midnight shows its
 * date. Labels never overlap and are never cut off.
 */
export function timeTicks(from: number, to: number, widthPx: number): readonly TimeTick[] {
  if (to <= from || widthPx <= 0) return []
  const perPx = (to - from) / widthPx
  const roomPx = (step: number): number =>
    Math.max(labelOf(from, step, false).length, shortDate(from).length) * CHARACTER_PX + BETWEEN_PX
  const step = STEPS.find((one) => one / perPx >= roomPx(one)) ?? (STEPS.at(-1) as number)
  const edge = ((roomPx(step) - BETWEEN_PX) / 2) * perPx
  const origin = step >= 7 * DAY ? MONDAY : 0
  const first = Math.ceil((from + clockAheadSeconds(from) - origin) / step) * step + origin
  const ticks: TimeTick[] = []
  for (let local = first; ; local += step) {
    const at = momentOf(local)
    if (at > to) return ticks
    // When clocks are set forward, the skipped hour would fall onto the next one.
    const last = ticks.at(-1)?.at ?? Number.NEGATIVE_INFINITY
    if (at < from + edge || at > to - edge || at - last < step / 2) continue
    ticks.push({ at, label: labelOf(at, step, local % DAY === 0) })
  }
}

/** The time at the crosshair, as exact as the steps of the data: `22 Nov, 11:20:15`. */
export const momentText = (at: number, stepSeconds: number): string =>
  `${shortDate(at)}, ${clockText(at * 1000, stepSeconds < MINUTE)}`

/** A part of the time axis in words; a date that both ends share appears once. */
export function spanText(from: number, to: number): string {
  const seconds = to - from < 10 * MINUTE
  const [start, end] = [from, to].map((at) => clockText(at * 1000, seconds))
  return shortDate(from) === shortDate(to)
    ? `${shortDate(from)}, ${start} – ${end}`
    : `${shortDate(from)}, ${start} – ${shortDate(to)}, ${end}`
}
