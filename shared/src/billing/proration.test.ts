import { expect, test } from 'vitest'
import { costBetween, prorate, prorateChange, restOf } from './proration.ts'

const DAY_SECONDS = 86_400
const daysIn = (days: number, after: number) => {
  const startsAt = new Date('2027-03-01T00:00:00Z')
  const later = (seconds: number) => new Date(startsAt.getTime() + seconds * 1000)
  return { period: { startsAt, endsAt: later(days * DAY_SECONDS) }, at: later(after) }
}

test.each([
  ['half of 30 days', 1000, 2500, daysIn(30, 15 * DAY_SECONDS), 500, 1250, 750],
  ['10 of 31 days', 999, 1999, daysIn(31, 10 * DAY_SECONDS), 677, 1354, 677],
  ['all but the last second', 999, 1999, daysIn(30, 30 * DAY_SECONDS - 1), 0, 0, 0],
  ['7 of 28 days', 500, 1500, daysIn(28, 7 * DAY_SECONDS), 375, 1125, 750],
  ['half of 30 days, downwards', 2500, 1000, daysIn(30, 15 * DAY_SECONDS), 1250, 500, -750],
])('after %s, a change from %i to %i', (_name, from, to, when, credit, charge, due) => {
  expect(prorateChange({ from, to, ...when })).toEqual({ credit, charge, due })
})

test('rounds halves up, and is exact for the biggest amount over three years', () => {
  expect(prorate(1, 1, 2)).toBe(1)
  expect(prorate(1, 1, 3)).toBe(0)
  const threeYears = 1096 * DAY_SECONDS
  expect(prorate(9_999_999_999, threeYears, threeYears)).toBe(9_999_999_999)
  expect(prorate(9_999_999_999, threeYears - 1, threeYears)).toBe(9_999_999_893)
})

test('the part left never grows as time passes, and never exceeds the whole', () => {
  let before = 999
  for (let left = 10_000; left >= 0; left -= 7) {
    const part = prorate(999, left, 10_000)
    expect(part).toBeLessThanOrEqual(before)
    expect(part).toBeGreaterThanOrEqual(0)
    before = part
  }
  expect(() => prorate(999, 10_001, 10_000)).toThrow(RangeError)
})

test('a price costs the whole for a whole period, its part for a part, and all of those that a time spans', () => {
  const anchor = new Date('2027-01-31T00:00:00Z')
  const cost = (from: string, to: string, cycle: 'weekly' | 'monthly' = 'monthly') =>
    costBetween({ amount: 1000, cycle }, anchor, {
      startsAt: new Date(`${from}T00:00:00Z`),
      endsAt: new Date(`${to}T00:00:00Z`),
    })
  // Periods are counted from the anchor: 31 January, 28 February, 31 March.
  expect(cost('2027-01-31', '2027-02-28')).toBe(1000)
  expect(cost('2027-02-28', '2027-03-31')).toBe(1000)
  expect(cost('2027-01-31', '2027-02-14')).toBe(500)
  expect(cost('2027-01-31', '2027-03-31')).toBe(2000)
  expect(cost('2027-02-14', '2027-03-03')).toBe(500 + 97)
  expect(cost('2027-01-31', '2027-01-31')).toBe(0)
  expect(cost('2027-01-31', '2027-02-18', 'weekly')).toBe(2000 + 571)
})

test('what a price costs until a time is its part of the time, and with what it costs from then on the whole', () => {
  const { period } = daysIn(31, 0)
  for (let seconds = 0; seconds <= 31 * DAY_SECONDS; seconds += 40_009) {
    const { at } = daysIn(31, seconds)
    const until = costBetween({ amount: 999, cycle: 'monthly' }, period.startsAt, {
      startsAt: period.startsAt,
      endsAt: at,
    })
    expect(until + restOf(999, period, at)).toBe(999)
    expect(Math.abs(until - prorate(999, seconds, 31 * DAY_SECONDS))).toBeLessThanOrEqual(1)
  }
})
