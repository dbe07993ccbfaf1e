import { expect, test } from 'vitest'
import { CYCLES, periodAt, periodEnd } from './cycles.ts'

const day = (text: string) => new Date(`${text}T10:30:00Z`)

test.each([
  ['2027-01-31', 'monthly', ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
  ['2028-02-29', 'yearly', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ['2026-11-30', 'quarterly', ['2027-02-28', '2027-05-30']],
  ['2026-12-28', 'weekly', ['2027-01-04', '2027-01-11']],
  ['2026-08-31', 'semiannual', ['2027-02-28', '2027-08-31']],
  ['2024-02-29', 'biennial', ['2026-02-28', '2028-02-29']],
  ['2027-01-31', 'triennial', ['2030-01-31']],
] as const)('periods from %s, %s, end on %j', (anchor, cycle, ends) => {
  expect(ends.map((_, at) => periodEnd(day(anchor), cycle, at + 1))).toEqual(ends.map(day))
})

test('periods follow each other without a gap or an overlap, for ten years of every anchor and cycle', () => {
  for (const anchor of ['2027-01-31', '2028-02-29', '2026-11-30', '2026-06-15'].map(day))
    for (const cycle of CYCLES)
      for (let at = anchor, n = 0; at < day('2037-01-01'); n += 1) {
        const period = periodAt(anchor, cycle, at)
        expect(period.startsAt).toEqual(at)
        expect(period.endsAt).toEqual(periodEnd(anchor, cycle, n + 1))
        expect(period.endsAt > at).toBe(true)
        at = period.endsAt
      }
})

test('the last instant of a period belongs to it, its end to the next', () => {
  const anchor = day('2027-01-31')
  const end = day('2027-02-28')
  expect(periodAt(anchor, 'monthly', new Date(end.getTime() - 1)).endsAt).toEqual(end)
  expect(periodAt(anchor, 'monthly', end).startsAt).toEqual(end)
})
