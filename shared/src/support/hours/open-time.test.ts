import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf } from '../../cron/wall-clock.ts'
import { BusinessHours } from './business-hours.ts'
import { afterOpenTime, isOpenAt, openTimeBetween } from './open-time.ts'

const MINUTE_MS = 60_000
const office: [string, string][] = [['09:00', '17:00']]
const weekdays = { mon: office, tue: office, wed: office, thu: office, fri: office }
const berlin = BusinessHours.parse({
  timeZone: 'Europe/Berlin',
  week: weekdays,
  holidays: [
    { date: '2026-12-24', name: 'Christmas Eve', intervals: [['09:00', '12:00']] },
    { date: '2026-12-25', name: 'Christmas Day' },
  ],
})
const lunch = BusinessHours.parse({
  timeZone: 'Europe/Berlin',
  week: {
    mon: [
      ['08:00', '12:00'],
      ['13:30', '18:00'],
    ],
  },
  holidays: [],
})
const night = BusinessHours.parse({
  timeZone: 'Europe/Berlin',
  week: { sun: [['01:00', '05:00']] },
  holidays: [],
})
const newYork = BusinessHours.parse({
  timeZone: 'America/New_York',
  week: weekdays,
  holidays: [],
})

const inBerlin = (wall: string) => instantOf('Europe/Berlin', Date.parse(`${wall}:00Z`)).atMs
const text = (atMs: number | undefined) => atMs && new Date(atMs).toISOString().slice(0, 16)

describe('when a time of open hours has passed', () => {
  it.each([
    ['within a day', berlin, '2026-11-16T10:00', 60, '2026-11-16T10:00'],
    ['over a night', berlin, '2026-11-16T16:30', 60, '2026-11-17T08:30'],
    ['over a weekend', berlin, '2026-11-20T16:30', 60, '2026-11-23T08:30'],
    ['from a closed day', berlin, '2026-11-21T12:00', 60, '2026-11-23T09:00'],
    ['from before the opening', berlin, '2026-11-16T07:00', 30, '2026-11-16T08:30'],
    ['to the closing instant', berlin, '2026-11-16T16:00', 60, '2026-11-16T16:00'],
    ['over a short and a closed holiday', berlin, '2026-12-23T16:30', 240, '2026-12-28T08:30'],
    ['over the start of summer time', berlin, '2026-03-27T16:00', 120, '2026-03-30T08:00'],
    ['over the end of summer time', berlin, '2026-10-23T16:00', 120, '2026-10-26T09:00'],
    ['over a lunch break', lunch, '2026-11-16T11:30', 60, '2026-11-16T13:00'],
    ['around the clock', 'always', '2026-03-28T12:00', 1440, '2026-03-29T11:00'],
    ['without a skipped hour', night, '2026-03-29T00:30', 180, '2026-03-29T03:00'],
    ['with a repeated hour', night, '2026-10-25T00:30', 300, '2026-10-25T04:00'],
  ] as const)('counts %s', (_what, calendar, from, minutes, due) => {
    expect(text(afterOpenTime(calendar, inBerlin(from), minutes * MINUTE_MS))).toBe(due)
  })

  it('counts on the clock of another continent', () => {
    const from = Date.parse('2026-11-02T21:30:00Z')
    expect(text(afterOpenTime(newYork, from, 60 * MINUTE_MS))).toBe('2026-11-03T14:30')
  })

  it('gives up when the desk never opens', () => {
    const never = BusinessHours.parse({ timeZone: 'UTC', week: {}, holidays: [] })
    expect(afterOpenTime(never, 0, MINUTE_MS)).toBeUndefined()
  })

  it('waits for the next opening when nothing is left to pass', () => {
    expect(text(afterOpenTime(berlin, inBerlin('2026-11-21T12:00'), 0))).toBe('2026-11-23T08:00')
  })
})

describe('for any hours', () => {
  const time = fc.integer({ min: 0, max: 24 * 4 }).map((quarter) => {
    const [hour, minute] = [Math.floor(quarter / 4), (quarter % 4) * 15]
    return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  })
  const day = fc
    .uniqueArray(time, { maxLength: 6 })
    .map((times) => times.sort())
    .map((times) =>
      times.flatMap((opens, index) => {
        const closes = times[index + 1]
        return index % 2 === 0 && closes ? [[opens, closes]] : []
      }),
    )
  const hours = fc
    .record({
      timeZone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
      week: fc.record({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day }),
      holidays: fc.constant([{ date: '2026-10-25', name: 'One', intervals: [['02:15', '02:45']] }]),
    })
    .map((given) => BusinessHours.parse(given))
  const instant = fc
    .integer({ min: Date.parse('2026-03-01'), max: Date.parse('2026-11-30') })
    .map((ms) => ms - (ms % 1000))
  const minutes = fc.integer({ min: 1, max: 6000 })

  it('the time that has passed until it is due is the time that was asked for', () => {
    fc.assert(
      fc.property(hours, instant, minutes, (calendar, from, asked) => {
        const due = afterOpenTime(calendar, from, asked * MINUTE_MS)
        fc.pre(due !== undefined)
        expect(openTimeBetween(calendar, from, due as number)).toBe(asked * MINUTE_MS)
      }),
      { numRuns: 60 },
    )
  })

  it('two parts of a time are as long as the whole', () => {
    fc.assert(
      fc.property(hours, instant, minutes, minutes, (calendar, from, first, second) => {
        const middle = from + first * MINUTE_MS
        const end = middle + second * MINUTE_MS
        const parts =
          openTimeBetween(calendar, from, middle) + openTimeBetween(calendar, middle, end)
        expect(parts).toBe(openTimeBetween(calendar, from, end))
      }),
      { numRuns: 60 },
    )
  })

  it('a later start is never due earlier', () => {
    fc.assert(
      fc.property(hours, instant, minutes, minutes, (calendar, from, wait, asked) => {
        const due = afterOpenTime(calendar, from, asked * MINUTE_MS)
        const later = afterOpenTime(calendar, from + wait * MINUTE_MS, asked * MINUTE_MS)
        fc.pre(due !== undefined && later !== undefined)
        expect(later).toBeGreaterThanOrEqual(due as number)
      }),
      { numRuns: 60 },
    )
  })

  it('the desk is open just before a time is due', () => {
    fc.assert(
      fc.property(hours, instant, minutes, (calendar, from, asked) => {
        const due = afterOpenTime(calendar, from, asked * MINUTE_MS)
        fc.pre(due !== undefined)
        expect(isOpenAt(calendar, (due as number) - 1)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

describe('hours that are not accepted', () => {
  it.each([
    ['cross midnight', [['22:00', '02:00']]],
    ['are empty', [['09:00', '09:00']]],
    [
      'overlap',
      [
        ['09:00', '12:00'],
        ['11:00', '17:00'],
      ],
    ],
    [
      'are not in order',
      [
        ['13:00', '17:00'],
        ['09:00', '12:00'],
      ],
    ],
    ['pass the end of the day', [['09:00', '24:15']]],
  ])('%s', (_what, mon) => {
    const given = { timeZone: 'UTC', week: { mon }, holidays: [] }
    expect(BusinessHours.safeParse(given).success).toBe(false)
  })

  it('name a holiday twice', () => {
    const twice = { date: '2026-12-25', name: 'Christmas Day' }
    const given = { timeZone: 'UTC', week: {}, holidays: [twice, twice] }
    expect(BusinessHours.safeParse(given).success).toBe(false)
  })
})
