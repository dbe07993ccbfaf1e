import { LATE_SECONDS, newestDue, nextDue } from '@lodge/shared/cron/due.ts'
import { STILL_GOING } from '@lodge/shared/schedule-tasks.ts'
import { MOST_CAUGHT_UP, ScheduleTask } from '@lodge/shared/schedules.ts'
import { isTimeZone } from '@lodge/shared/time-zone.ts'
import type { DueSchedule } from './due-store.ts'
import { whyHeld } from './held.ts'

/** What to do about a due schedule. */
export interface Decision {
  /** The occurrence that runs now. */
  readonly run: Date | null
  /** Occurrences that do not run, for the history. */
  readonly unrun: readonly {
    readonly dueAt: Date
    readonly state: 'skipped' | 'missed'
    readonly detail: string
  }[]
  readonly nextAt: Date | null
  /** Why it can no longer be run. */
  readonly problem: string | null
}

const MISSED = 'The panel was not running at that time, or not connected to the node'
const CAUGHT_UP = 'Missed; a later run makes up for it'

export function decide(schedule: DueSchedule, now: Date): Decision {
  const next = following(schedule)
  if ('problem' in next) return { run: null, unrun: [], nextAt: null, ...next }
  // The stored occurrence counts as due, even if the zone's rules have changed since.
  const { at } = next
  const isBehind = at !== null && at <= now
  const newer = isBehind ? newestDue(schedule, at, now, MOST_CAUGHT_UP) : []
  const after = { nextAt: isBehind ? nextDue(schedule, now) : at, problem: null }
  const used = new Set(schedule.used.map((at) => at.getTime()))
  const due = [schedule.nextAt, ...newer]
    .slice(-MOST_CAUGHT_UP)
    .filter((at) => !used.has(at.getTime()))
  const newest = due.at(-1)
  // Its node has run them all.
  if (!newest) return { run: null, unrun: [], ...after }
  const older = due.slice(0, -1)
  const held = whyHeld(schedule.holds)
  if (held !== undefined)
    return { run: null, unrun: [{ dueAt: newest, state: 'skipped', detail: held }], ...after }
  if (schedule.missed === 'all') {
    const [run = newest, ...rest] = due
    const nextAt = rest[0] ?? after.nextAt
    return schedule.busy ? skipped(run, nextAt) : { run, unrun: [], nextAt, problem: null }
  }
  const missed = (detail: string, times: readonly Date[]) =>
    times.map((dueAt) => ({ dueAt, state: 'missed' as const, detail }))
  const isLate = now.getTime() - newest.getTime() > LATE_SECONDS * 1_000
  if (schedule.missed === 'skip' && isLate)
    return { run: null, unrun: missed(MISSED, due), ...after }
  // A later run by its node makes up for them as well.
  if (schedule.missed === 'once' && schedule.used.some((at) => at > newest))
    return { run: null, unrun: missed(CAUGHT_UP, due), ...after }
  const unrun = missed(schedule.missed === 'once' ? CAUGHT_UP : MISSED, older)
  if (!schedule.busy) return { run: newest, unrun, ...after }
  const { unrun: last } = skipped(newest, after.nextAt)
  return { run: null, unrun: [...unrun, ...last], ...after }
}

export const skipped = (dueAt: Date, nextAt: Date | null): Decision => ({
  run: null,
  unrun: [{ dueAt, state: 'skipped', detail: STILL_GOING }],
  nextAt,
  problem: null,
})

/** The occurrence after the stored one, or why the schedule can no longer be run. */
function following(schedule: DueSchedule): { at: Date | null } | { problem: string } {
  if (!Tasks.safeParse(schedule.tasks).success)
    return { problem: 'Its tasks are not understood any more: choose them again' }
  try {
    return { at: nextDue(schedule, schedule.nextAt) }
  } catch {
    return {
      problem: isTimeZone(schedule.timezone)
        ? `The cron expression ${schedule.cron} is not understood any more: change it`
        : `The time zone ${schedule.timezone} is not known any more: choose another one`,
    }
  }
}

const Tasks = ScheduleTask.array().min(1)
