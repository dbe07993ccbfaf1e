import { instantOf } from './wall-clock.ts'

/** Days on the clock of a zone. A day is counted since 1970, a date is written `2026-11-22`. */

const DAY_MS = 86_400_000
/** Of the first Monday since 1970, in days. */
const MONDAY = 4

/** Days of a time zone, from its first midnight to the one after its last day. */
export interface Days {
  readonly from: string
  readonly to: string
  readonly startMs: number
  readonly endMs: number
}

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
export const dayOf = (date: string): number => Date.parse(date) / DAY_MS

/** How many days ago its week began, on Monday. */
export const daysSinceMonday = (day: number): number => (((day - MONDAY) % 7) + 7) % 7

/** From the first to the last day, on the clock of a zone, by which some are 23 or 25 hours long. */
export const daysOf = (zone: string, first: number, last: number): Days => ({
  ...{ from: dateOf(first), to: dateOf(last) },
  startMs: instantOf(zone, first * DAY_MS).atMs,
  endMs: instantOf(zone, (last + 1) * DAY_MS).atMs,
})
