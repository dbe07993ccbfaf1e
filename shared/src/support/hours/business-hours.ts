import { z } from 'zod'
import { timeZone } from '../../time-zone.ts'

/** The days of a week as business hours name them, in the order of `Date.getUTCDay`. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

const clockTime = z
  .string()
  .regex(
    /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
    'is not a time of day, for example 09:30 or 24:00',
  )

/** When the desk opens and closes, e.g. `["09:00","12:00"]`. An interval never crosses midnight. */
const interval = z
  .tuple([clockTime, clockTime])
  .refine(([opens, closes]) => opens < closes, 'closes before it opens')

// Times of day have one length, so that their order is that of their text.
const intervals = z
  .array(interval)
  .max(12)
  .refine(
    (day) => day.every(([opens], index) => index === 0 || opens >= (day[index - 1]?.[1] ?? '')),
    'has intervals that overlap or are not in order',
  )

const week = z.strictObject({
  mon: intervals.default([]),
  tue: intervals.default([]),
  wed: intervals.default([]),
  thu: intervals.default([]),
  fri: intervals.default([]),
  sat: intervals.default([]),
  sun: intervals.default([]),
})

const holiday = z.strictObject({
  date: z.iso.date(),
  name: z.string().trim().min(1).max(80),
  /** The hours of this day instead of those of its weekday; without any the desk is closed. */
  intervals: intervals.default([]),
})

/** When people answer tickets, on the clock of one time zone. */
export const BusinessHours = z.strictObject({
  timeZone,
  week,
  holidays: z
    .array(holiday)
    .max(400)
    .refine((all) => new Set(all.map(({ date }) => date)).size === all.length, 'names a day twice'),
})
/** When people answer tickets, on the clock of one time zone. */
export type BusinessHours = z.infer<typeof BusinessHours>
