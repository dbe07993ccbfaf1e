import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeTimestampsAs } from '../locale/timestamps.ts'
import { momentText, spanText, timeTicks } from './chart-time.ts'

const at = (iso: string): number => Date.parse(iso) / 1000
const labels = (from: string, to: string, widthPx = 900) =>
  timeTicks(at(from), at(to), widthPx).map(({ label }) => label.replaceAll(/\s/g, ' '))

beforeEach(() => writeTimestampsAs({ locale: 'en-GB', timeZone: 'UTC' }))
afterEach(() => writeTimestampsAs({ locale: null, timeZone: null }))

test('an hour has round times of 24 hours, whatever the first second is', () => {
  expect(labels('2026-11-22T11:07:13Z', '2026-11-22T12:07:13Z')).toEqual([
    '11:10',
    '11:15',
    '11:20',
    '11:25',
    '11:30',
    '11:35',
    '11:40',
    '11:45',
    '11:50',
    '11:55',
    '12:00',
    '12:05',
  ])
})

test('on a phone there are fewer labels, and none overlaps another or is cut off', () => {
  for (const length of [120, 3600, 86_400, 7 * 86_400, 30 * 86_400, 90 * 86_400]) {
    const from = at('2026-11-22T11:07:13Z')
    const widthPx = 270
    const ticks = timeTicks(from, from + length, widthPx)
    expect(ticks.length).toBeGreaterThanOrEqual(2)
    const boxes = ticks.map((tick) => {
      const middle = ((tick.at - from) / length) * widthPx
      return [middle - tick.label.length * 3.3, middle + tick.label.length * 3.3] as const
    })
    expect(boxes[0]![0]).toBeGreaterThanOrEqual(0)
    expect(boxes.at(-1)![1]).toBeLessThanOrEqual(widthPx)
    for (const [index, box] of boxes.slice(1).entries())
      expect(box[0] - boxes[index]![1]).toBeGreaterThan(8)
  }
})

test('midnight shows its date, in the time zone of the reader', () => {
  expect(labels('2026-11-21T12:00:00Z', '2026-11-22T12:00:00Z', 500)).toContain('22 Nov')
  writeTimestampsAs({ locale: 'en-GB', timeZone: 'Asia/Kolkata' })
  const ticks = timeTicks(at('2026-11-21T12:00:00Z'), at('2026-11-22T12:00:00Z'), 500)
  expect(ticks.find(({ label }) => label === '22 Nov')?.at).toBe(at('2026-11-21T18:30:00Z'))
  expect(
    ticks.filter(({ label }) => label.includes(':')).every(({ label }) => label.endsWith(':00')),
  ).toBe(true)
})

test('30 days have a label for every other day, and on a phone for each Monday', () => {
  const [from, to] = ['2026-10-23T11:07:13Z', '2026-11-22T11:07:13Z'] as const
  const wide = labels(from, to)
  expect(wide.slice(0, 3)).toEqual(['26 Oct', '28 Oct', '30 Oct'])
  expect(wide).toHaveLength(14)
  expect(labels(from, to, 270)).toEqual(['26 Oct', '2 Nov', '9 Nov', '16 Nov'])
})

test('days stay at midnight when the clocks change', () => {
  writeTimestampsAs({ locale: 'en-GB', timeZone: 'Europe/Berlin' })
  const ticks = timeTicks(at('2026-03-26T12:00:00Z'), at('2026-04-01T12:00:00Z'), 450)
  expect(ticks.map((tick) => new Date(tick.at * 1000).toISOString().slice(5, 13))).toEqual([
    '03-26T23',
    '03-27T23',
    '03-28T23',
    '03-29T22',
    '03-30T22',
    '03-31T22',
  ])
})

test('the hour that is left out in spring has no label, and the others stay in order', () => {
  writeTimestampsAs({ locale: 'en-GB', timeZone: 'Europe/Berlin' })
  const ticks = timeTicks(at('2026-03-28T23:30:00Z'), at('2026-03-29T03:30:00Z'), 400)
  expect(ticks.map(({ label }) => label)).toEqual(['01:00', '03:00', '04:00', '05:00'])
})

test('a reader whose language counts twelve hours sees them', () => {
  writeTimestampsAs({ locale: 'en-US', timeZone: 'UTC' })
  expect(labels('2026-11-22T13:00:00Z', '2026-11-22T17:00:00Z', 500)).toContain('03:00 PM')
  writeTimestampsAs({ locale: null, timeZone: 'UTC' })
  expect(labels('2026-11-22T13:00:00Z', '2026-11-22T17:00:00Z', 500)).toContain('15:00')
})

test('a time span contains its date once', () => {
  expect(spanText(at('2026-11-22T11:20:00Z'), at('2026-11-22T12:20:00Z'))).toBe(
    '22 Nov, 11:20 – 12:20',
  )
  expect(spanText(at('2026-11-21T23:20:00Z'), at('2026-11-22T12:20:00Z'))).toBe(
    '21 Nov, 23:20 – 22 Nov, 12:20',
  )
  expect(momentText(at('2026-11-22T11:20:15Z'), 15)).toBe('22 Nov, 11:20:15')
  expect(momentText(at('2026-11-22T11:20:00Z'), 300)).toBe('22 Nov, 11:20')
})
