import { expect, test } from 'vitest'
import { nextOccurrence } from './recurring.ts'

test('occurrences follow the clock of the zone across daylight saving time, each exactly once', () => {
  const zone = 'Europe/Berlin'
  const next = (cron: string, from: string) => nextOccurrence({ cron, zone }, new Date(from))
  expect(next('30 4 * * *', '2026-07-01T12:00:00Z')).toEqual(new Date('2026-07-02T02:30:00Z'))
  expect(next('30 4 * * *', '2026-12-01T12:00:00Z')).toEqual(new Date('2026-12-02T03:30:00Z'))
  // 02:30 does not exist on 29 March 2026 and exists twice on 25 October.
  expect(next('30 2 * * *', '2026-03-28T12:00:00Z')).toEqual(new Date('2026-03-29T01:00:00Z'))
  const autumn = next('30 2 * * *', '2026-10-24T12:00:00Z')
  expect(autumn).toEqual(new Date('2026-10-25T00:30:00Z'))
  expect(nextOccurrence({ cron: '30 2 * * *', zone }, autumn as Date)).toEqual(
    new Date('2026-10-26T01:30:00Z'),
  )
  expect(next('0 0 30 2 *', '2026-01-01T00:00:00Z')).toBeNull()
  expect(() => next('every night', '2026-01-01T00:00:00Z')).toThrow()
  expect(() => nextOccurrence({ cron: '0 0 * * *', zone: 'Mars/Base' }, new Date())).toThrow()
})
