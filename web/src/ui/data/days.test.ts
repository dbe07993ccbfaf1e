import { afterEach, expect, test } from 'vitest'
import { writeTimestampsAs } from '../locale/timestamps.ts'
import { dayText, dayWords } from './days.ts'

const BROWSER = { locale: null, timeZone: null, clock: null }
afterEach(() => writeTimestampsAs(BROWSER))

test('days are those of the reader’s time zone', () => {
  const late = '2026-11-22T23:30:00.000Z'
  writeTimestampsAs({ ...BROWSER, locale: 'en-GB', timeZone: 'UTC' })
  expect(dayText(late)).toBe('22/11/2026')
  writeTimestampsAs({ ...BROWSER, locale: 'en-GB', timeZone: 'Europe/Zurich' })
  expect(dayText(late)).toBe('23/11/2026')
})

test('today and yesterday are words, other days have their weekday', () => {
  writeTimestampsAs({ ...BROWSER, locale: 'en-GB', timeZone: 'UTC' })
  const now = Date.parse('2026-11-22T09:00:00Z')
  expect(dayWords('2026-11-22T00:10:00Z', now)).toBe('Today')
  expect(dayWords('2026-11-21T23:50:00Z', now)).toBe('Yesterday')
  expect(dayWords('2026-11-20T12:00:00Z', now)).toMatch(/^Friday/)
})
