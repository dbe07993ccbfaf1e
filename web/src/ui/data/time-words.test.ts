import { afterEach, expect, test } from 'vitest'
import { writeTimestampsAs } from '../locale/timestamps.ts'
import { ago, duration, moment } from './time-words.ts'

afterEach(() => writeTimestampsAs({ locale: null, timeZone: null }))

test.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [61_000, '1 min 1 s'],
  [3_660_000, '1 h 1 min'],
  [100_800_000, '1 d 4 h'],
  [-5, '0 s'],
])('%d ms last %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

const now = Date.parse('2026-06-15T12:00:00Z')
test.each([
  [3_000, 'just now'],
  [42_000, '42 seconds ago'],
  [120_000, '2 minutes ago'],
  [7_200_000, '2 hours ago'],
  [172_800_000, '2 days ago'],
  [-90_000, 'in 1 min 30 s'],
])('%d ms before now is %s', (before, words) => {
  expect(ago(now - before, now)).toBe(words)
})

test('a week or more ago is shown as a date', () => {
  expect(ago(Date.parse('2026-01-02T12:00:00Z'), now)).toContain('2026')
})

test('after a word such as “until” a moment of today is a time, another one a date', () => {
  writeTimestampsAs({ locale: 'en-US', timeZone: 'UTC', clock: '24' })
  const written = ['2026-06-15T14:30:00Z', '2026-06-12T09:05:00Z', '2025-05-03T14:30:00Z']
  expect(written.map((at) => moment(Date.parse(at), now))).toEqual([
    '14:30',
    'Jun 12, 09:05',
    'May 3, 2025, 14:30',
  ])
  writeTimestampsAs({ locale: 'de', timeZone: 'UTC', clock: null })
  expect(moment(Date.parse('2026-06-12T09:05:00Z'), now)).toBe('12. Juni, 09:05')
})
