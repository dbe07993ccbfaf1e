import { nextOccurrence } from './occurrences.ts'

/** When a schedule is due. */
export interface Timing {
  /** Either this or an interval. */
  readonly cron: string | null
  readonly intervalMinutes: number | null
  /** IANA name of the zone in which `cron` is read. */
  readonly timezone: string
  /** Intervals are counted from here. */
  readonly anchoredAt: Date
}

/** Later than this, an occurrence was missed. */
export const LATE_SECONDS = 300

/**
 * The first due time after `from`; null if there is none.
 * @throws {Error} for an expression or a zone that is not valid any more
 */
export function nextDue(timing: Timing, from: Date): Date | null {
  if (timing.cron !== null)
    return nextOccurrence({ cron: timing.cron, zone: timing.timezone }, from)
  const stepMs = (timing.intervalMinutes ?? 1) * 60_000
  const anchorMs = timing.anchoredAt.getTime()
  const steps = Math.floor((from.getTime() - anchorMs) / stepMs) + 1
  return new Date(anchorMs + Math.max(1, steps) * stepMs)
}

/**
 * The newest due times from `first` up to `now`, oldest first. A schedule that has missed many is
 * not gone through from the beginning: their usual distance tells where to start.
 */
export function newestDue(timing: Timing, first: Date, now: Date, most: number): Date[] {
  const found = dueBetween(timing, first, now, most + 1)
  const [oldest, newest] = [found[0], found.at(-1)]
  if (found.length <= most || !oldest || !newest) return found
  const apartMs = (newest.getTime() - oldest.getTime()) / most
  const start = new Date(Math.max(newest.getTime(), now.getTime() - apartMs * (most + 1)))
  const later = dueBetween(timing, start, now, 4 * most)
  return [...found, ...later.filter((at) => at > newest)].slice(-most)
}

/** Due times from `first` up to `now`. */
function dueBetween(timing: Timing, first: Date, now: Date, most: number): Date[] {
  const found: Date[] = []
  let at = nextDue(timing, new Date(first.getTime() - 1))
  while (at !== null && at <= now && found.length < most) {
    found.push(at)
    at = nextDue(timing, at)
  }
  return found
}
