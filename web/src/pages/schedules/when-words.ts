import type { Schedule } from '@lodge/shared/schedules.ts'
import { dateText } from '../../ui/locale/timestamps.ts'
import { readCron, whenOf } from './when.ts'
import { t } from './words.ts'

/** A week that begins on Sunday, as cron counts days. */
const SUNDAY = Date.UTC(2026, 10, 22)
export const dayName = (day: string, weekday: 'long' | 'short' = 'long'): string =>
  dateText(SUNDAY + Number(day) * 86_400_000, { weekday, timeZone: 'UTC' })

/** The city that a zone is named after: `Europe/Berlin` is Berlin. */
export const zoneName = (zone: string): string =>
  zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone

type Timing = Pick<Schedule, 'cron' | 'intervalMinutes' | 'timezone'>

/** When a schedule runs, in words. */
export function whenWords({ cron, intervalMinutes, timezone }: Timing): string {
  if (cron === null) {
    const { every = 0, unit } = whenOf({ cron, intervalMinutes })
    return t.everyInterval({ every, unit })
  }
  const zone = zoneName(timezone)
  const read = readCron(cron)
  const { time = '', day = 1, days = [], minute = 0 } = read ?? {}
  switch (read?.repeats) {
    case 'hourly':
      return t.everyHour({ minute: String(minute).padStart(2, '0') })
    case 'daily':
      return t.everyDay({ time, zone })
    case 'weekly':
      if (days.join() === '1,2,3,4,5') return t.everyWorkday({ time, zone })
      return t.everyWeek({ days: days.map((one) => dayName(one)).join(', '), time, zone })
    case 'monthly':
      return t.everyMonth({ day, time, zone })
    default:
      return t.byCron({ cron, zone })
  }
}

/** The title of a schedule without a name. */
export const titleOf = (schedule: Timing & Pick<Schedule, 'name'>): string =>
  schedule.name ?? whenWords(schedule)
