import type { MetricsPoint } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { withGaps } from './with-gaps.ts'

const point = (seconds: number): MetricsPoint => ({
  at: new Date(seconds * 1000).toISOString(),
  cpuPercent: 1,
  memoryBytes: 1,
  networkRxBytesPerSecond: 1,
  networkTxBytesPerSecond: 1,
  diskBytes: 1,
})

test('a line continues across one late point', () => {
  expect(withGaps([point(0), point(20), point(60)], 20).map(({ at }) => at)).toEqual([0, 20, 60])
})

test('a line breaks where samples are missing', () => {
  const places = withGaps([point(0), point(20), point(200), point(220)], 20)
  expect(places.map(({ at }) => at)).toEqual([0, 20, 40, 200, 220])
  expect(places.map(({ point }) => point === undefined)).toEqual([false, false, true, false, false])
})

test('no points give no line', () => {
  expect(withGaps([], 20)).toEqual([])
})
