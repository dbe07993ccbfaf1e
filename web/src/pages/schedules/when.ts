import type { Schedule } from '@lodge/shared/schedules.ts'

export const REPEATS = ['interval', 'hourly', 'daily', 'weekly', 'monthly', 'cron'] as const
export type Repeats = (typeof REPEATS)[number]

export const UNIT_MINUTES = { minutes: 1, hours: 60, days: 1440 } as const
export type Unit = keyof typeof UNIT_MINUTES

/** When a schedule runs, in the form: fields and expression are kept equivalent. */
export interface When {
  readonly repeats: Repeats
  readonly every: number | undefined
  readonly unit: Unit
  /** Minute of the hour. */
  readonly minute: number | undefined
  /** Time of day, `04:00`. */
  readonly time: string
  /** Days of the week: `0` is Sunday. */
  readonly days: readonly string[]
  /** Day of the month. */
  readonly day: number | undefined
  readonly cron: string
}

/** Defaults of the fields. */
const USUAL: When = {
  repeats: 'daily',
  every: 30,
  unit: 'minutes',
  minute: 0,
  time: '04:00',
  days: ['1'],
  day: 1,
  cron: '0 4 * * *',
}

const isWithin = (value: number | undefined, least: number, most: number): value is number =>
  value !== undefined && value >= least && value <= most

/** The expression for the fields; empty while one of them is. */
function cronOf({ repeats, minute, time, days, day }: When): string {
  if (repeats === 'hourly') return isWithin(minute, 0, 59) ? `${minute} * * * *` : ''
  const [hours, minutes] = time.split(':').map(Number)
  if (hours === undefined || minutes === undefined) return ''
  const clock = `${minutes} ${hours}`
  if (repeats === 'weekly')
    return days.length > 0 ? `${clock} * * ${days.toSorted().join(',')}` : ''
  if (repeats === 'monthly') return isWithin(day, 1, 31) ? `${clock} ${day} * *` : ''
  return `${clock} * * *`
}

const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
}

/** A list such as `1-5` or `mon,fri` as days; undefined for anything else. */
function daysOf(text: string): readonly string[] | undefined {
  const numbers = text
    .toLowerCase()
    .replaceAll(/[a-z]{3}/g, (name) => String(DAY_NAMES.indexOf(name)))
  if (!/^[0-7](-[0-7])?(,[0-7](-[0-7])?)*$/.test(numbers)) return undefined
  const days = numbers.split(',').flatMap((one) => {
    const [from = 0, to = from] = one.split('-').map(Number)
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => String((from + at) % 7))
  })
  return [...new Set(days)].toSorted()
}

/** The fields that are equivalent to an expression; undefined if there are none. */
export function readCron(cron: string): (Partial<When> & Pick<When, 'repeats'>) | undefined {
  const written = cron.trim().toLowerCase()
  const parts = (NICKNAMES[written] ?? written).split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts
  const plain = /^\d{1,2}$/
  if (parts.length !== 5 || month !== '*' || !plain.test(minute) || Number(minute) > 59)
    return undefined
  if (hour === '*')
    return day === '*' && weekday === '*'
      ? { repeats: 'hourly', minute: Number(minute) }
      : undefined
  if (!plain.test(hour) || Number(hour) > 23) return undefined
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (day === '*' && weekday === '*') return { repeats: 'daily', time }
  const days = day === '*' ? daysOf(weekday) : undefined
  if (days?.length) return { repeats: 'weekly', time, days }
  if (weekday === '*' && plain.test(day) && isWithin(Number(day), 1, 31))
    return { repeats: 'monthly', time, day: Number(day) }
  return undefined
}

/** The state after a field was changed, with the expression updated. */
export function withFields(when: When, change: Partial<When>): When {
  const next = { ...when, ...change }
  const isFree = next.repeats === 'cron' || next.repeats === 'interval'
  return isFree ? next : { ...next, cron: cronOf(next) }
}

/**
 * The state after the expression was typed, with the fields updated as far as they can express it.
 */
export function withCron(when: When, cron: string): When {
  const read = readCron(cron)
  // People who chose to type an expression stay there, even if fields could express it.
  const repeats = when.repeats === 'cron' || !read ? 'cron' : read.repeats
  return { ...when, ...read, repeats, cron }
}

/** The state of the fields for a schedule. */
export function whenOf({
  cron,
  intervalMinutes,
}: Pick<Schedule, 'cron' | 'intervalMinutes'>): When {
  if (cron !== null) return { ...USUAL, ...(readCron(cron) ?? { repeats: 'cron' }), cron }
  const minutes = intervalMinutes ?? 0
  const unit = minutes % 1440 === 0 ? 'days' : minutes % 60 === 0 ? 'hours' : 'minutes'
  return { ...USUAL, repeats: 'interval', unit, every: minutes / UNIT_MINUTES[unit] }
}

/** The fields of the API's body. */
export const timingOf = ({ repeats, every, unit, cron }: When) =>
  repeats === 'interval'
    ? { intervalMinutes: every === undefined ? Number.NaN : every * UNIT_MINUTES[unit] }
    : { cron }
