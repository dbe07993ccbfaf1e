import { expect, test } from 'vitest'
import { ago, duration } from './time-words.ts'

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
