import { instantOf, wallOf } from '@lodge/shared/cron/wall-clock.ts'
import type { DayUptime, MinuteState, ShownState } from '@lodge/shared/status.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** One day in a time zone; days with a clock change are shorter or longer. */
export interface Day {
  readonly date: string
  readonly fromMs: number
  readonly untilMs: number
}

export interface Span {
  readonly fromMs: number
  readonly untilMs: number
  readonly state: MinuteState
}

/** The last days in a time zone, the oldest first; the last one is today and ends now. */
export function lastDays(zone: string, nowMs: number, count: number): Day[] {
  const today = Math.floor(wallOf(zone, nowMs) / DAY_MS) * DAY_MS
  const begins = Array.from({ length: count }, (_, at) => today - (count - 1 - at) * DAY_MS)
  const starts = begins.map((wall) => instantOf(zone, wall).atMs)
  return begins.map((wall, at) => ({
    date: new Date(wall).toISOString().slice(0, 10),
    fromMs: starts[at] ?? nowMs,
    untilMs: starts[at + 1] ?? nowMs,
  }))
}

/** From best to worst; a day shows its worst state, and a day without any record is unknown. */
const WORSE: readonly ShownState[] = [
  'unknown',
  'operational',
  'maintenance',
  'degraded',
  'partial',
  'outage',
]
const KIND = {
  operational: 'upMinutes',
  degraded: 'upMinutes',
  partial: 'downMinutes',
  outage: 'downMinutes',
  maintenance: 'maintenanceMinutes',
} as const satisfies Record<MinuteState, keyof DayUptime>

/**
 * Counts recorded minutes by day. Each minute counts once: as up if everything worked, even if
 * slowly; as down if some or all of it did not; separately during planned maintenance. Unrecorded
 * minutes are unknown.
 * @param spans of one component, without overlaps, the oldest first
 */
export function uptimeOf(days: readonly Day[], spans: readonly Span[]): DayUptime[] {
  let first = 0
  return days.map(({ date, fromMs, untilMs }) => {
    const minutes = { upMinutes: 0, downMinutes: 0, maintenanceMinutes: 0 }
    let worst: ShownState = 'unknown'
    while ((spans[first]?.untilMs ?? Number.POSITIVE_INFINITY) <= fromMs) first++
    for (let at = first; ; at++) {
      const span = spans[at]
      if (!span || span.fromMs >= untilMs) break
      const ms = Math.min(span.untilMs, untilMs) - Math.max(span.fromMs, fromMs)
      minutes[KIND[span.state]] += ms / MINUTE_MS
      if (WORSE.indexOf(span.state) > WORSE.indexOf(worst)) worst = span.state
    }
    const { upMinutes, downMinutes, maintenanceMinutes } = minutes
    const whole = Math.max(0, Math.floor((untilMs - fromMs) / MINUTE_MS))
    const known = Math.round(upMinutes + downMinutes + maintenanceMinutes)
    return {
      ...{ date, worst },
      upMinutes: Math.round(upMinutes),
      downMinutes: Math.round(downMinutes),
      maintenanceMinutes: Math.round(maintenanceMinutes),
      unknownMinutes: Math.max(0, whole - known),
    }
  })
}

/**
 * The percentage of measured minutes outside of maintenance that were up. Rounded down to hundredths,
 * so that 100% means that none was down; null if none was measured.
 */
export function percentOf(days: readonly DayUptime[]): number | null {
  const up = days.reduce((sum, day) => sum + day.upMinutes, 0)
  const down = days.reduce((sum, day) => sum + day.downMinutes, 0)
  return up + down === 0 ? null : Math.floor((10_000 * up) / (up + down)) / 100
}
