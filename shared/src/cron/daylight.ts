import type { Occurrence } from '../schedules.ts'
import { namesHours, nextWall } from './expression.ts'
import { changeBetween, instantOf, offsetOf, wallOf } from './wall-clock.ts'

const DAY_MS = 86_400_000
const two = (number: number) => String(number).padStart(2, '0')
const clockOf = (wallMs: number): string => new Date(wallMs).toISOString().slice(11, 16)
const dayOf = (wallMs: number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(wallMs)

/** A time on the clock of a zone with its offset, e.g. `2027-03-28T03:00:00+02:00`. */
function localText(zone: string, atMs: number): string {
  const offset = Math.round(offsetOf(zone, atMs) / 60_000)
  const [sign, minutes] = [offset < 0 ? '-' : '+', Math.abs(offset)]
  const shown = new Date(wallOf(zone, atMs)).toISOString().slice(0, 19)
  return `${shown}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/**
 * Occurrences as people read them, with what daylight saving time does to each.
 * @param given without an expression they are those of an interval, which no clock changes
 * @param from the time from which `times` were looked for
 */
export function describeOccurrences(
  { cron, zone }: { readonly cron: string | undefined; readonly zone: string },
  from: Date,
  times: readonly Date[],
): Occurrence[] {
  return times.map((at, index) => {
    const atMs = at.getTime()
    const before = times[index - 1] ?? from
    const effect = cron === undefined ? null : effectOn(cron, zone, before.getTime(), atMs)
    return {
      at: at.toISOString(),
      local: localText(zone, atMs),
      daylight: effect && {
        ...{ change: effect.change, clock: clockOf(effect.wallMs) },
        date: new Date(effect.wallMs).toISOString().slice(0, 10),
      },
      note: effect && noteOf(effect, wallOf(zone, atMs)),
    }
  })
}

interface Effect {
  readonly change: NonNullable<Occurrence['daylight']>['change']
  /** The time that the clock skips or repeats. */
  readonly wallMs: number
}

function effectOn(cron: string, zone: string, beforeMs: number, atMs: number): Effect | null {
  const wallMs = wallOf(zone, atMs)
  const named = namesHours(cron)
  const skipped = skippedBetween(cron, zone, Math.max(beforeMs, atMs - DAY_MS), atMs)
  if (skipped !== undefined && named) return { change: 'moved', wallMs: skipped }
  const first = instantOf(zone, wallMs)
  if (first.shown === 'twice' && named) return { change: 'first_only', wallMs }
  if (first.shown === 'twice' && first.atMs < atMs) return { change: 'second', wallMs }
  // Every hour of the day needs no word about one that does not exist.
  if (skipped !== undefined && !/^\S+\s+[*?]\s|^@/.test(cron.trim()))
    return { change: 'left_out', wallMs: skipped }
  return null
}

/** The first matching time that the clock skipped between two instants. */
function skippedBetween(
  cron: string,
  zone: string,
  beforeMs: number,
  atMs: number,
): number | undefined {
  const changed = changeBetween(zone, beforeMs, atMs)
  if (changed === undefined) return undefined
  const [gap, after] = [wallOf(zone, changed - 1) + 1, wallOf(zone, changed)]
  const wallMs = after > gap ? nextWall(cron, gap - 1) : undefined
  return wallMs !== undefined && wallMs < after ? wallMs : undefined
}

function noteOf({ change, wallMs }: Effect, shownMs: number): string {
  const [clock, day] = [clockOf(wallMs), dayOf(wallMs)]
  if (change === 'moved') return `${clock} does not exist on ${day}: runs at ${clockOf(shownMs)}`
  if (change === 'left_out') return `${clock} does not exist on ${day} and is left out`
  if (change === 'first_only') return `${clock} occurs twice on ${day}: runs the first time only`
  return `${clock} occurs twice on ${day}: runs both times`
}
