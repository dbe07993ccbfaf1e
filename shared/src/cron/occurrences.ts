import { namesHours, nextWall } from './expression.ts'
import { changeBetween, instantOf, offsetOf, wallOf } from './wall-clock.ts'

/**
 * When an expression is due on the clock of a zone.
 *
 * - It names hours: each time of day is due once. One that the clock skips is due right after the
 *   gap, one that comes twice is due the first time.
 * - It counts hours: it is due whenever the clock shows a matching time, so also the second time,
 *   and not at times that are skipped.
 */
export interface Recurrence {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string
  /** IANA name of the time zone in which they are read. */
  readonly zone: string
}

/** Clocks are never changed twice within a day. */
const NEAR_MS = 26 * 3_600_000

/**
 * The first occurrence after `from`.
 * @returns null if there is none
 * @throws {Error} for an expression or zone that is not valid
 */
export function nextOccurrence({ cron, zone }: Recurrence, from: Date): Date | null {
  const next = namesHours(cron) ? nextNamed : nextCounted
  const atMs = next(cron, zone, from.getTime())
  return atMs === undefined ? null : new Date(atMs)
}

function nextNamed(cron: string, zone: string, fromMs: number): number | undefined {
  let wallMs = nextWall(cron, wallOf(zone, fromMs))
  while (wallMs !== undefined) {
    const { atMs } = instantOf(zone, wallMs)
    // Not after `from` only while the clock shows times for the second time.
    if (atMs > fromMs) return atMs
    wallMs = nextWall(cron, wallMs)
  }
  return undefined
}

function nextCounted(cron: string, zone: string, fromMs: number): number | undefined {
  let since = fromMs
  for (;;) {
    const offset = offsetOf(zone, since)
    const wallMs = nextWall(cron, since + offset)
    const atMs = wallMs === undefined ? undefined : wallMs - offset
    const near = Math.min(atMs ?? Infinity, since + NEAR_MS)
    const changed =
      changeBetween(zone, since, near) ??
      (atMs === undefined ? undefined : changeBetween(zone, near, atMs))
    if (changed === undefined) return atMs
    // From the change on, the clock is another one.
    since = changed - 1
    const shown = wallOf(zone, changed)
    if (nextWall(cron, shown - 1) === shown) return changed
    since = changed
  }
}
