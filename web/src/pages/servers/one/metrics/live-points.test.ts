import type { MetricsPoint } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { withLive } from './live-points.ts'

const at = (seconds: number): string => new Date(1_700_000_010_000 + seconds * 1000).toISOString()
const point = (seconds: number): MetricsPoint => ({
  at: at(seconds),
  cpuPercent: 1,
  memoryBytes: 1,
  networkRxBytesPerSecond: 1,
  networkTxBytesPerSecond: 1,
  diskBytes: 1,
})
const sample = (seconds: number, cpuPercent: number) => ({
  serverId: 'a',
  at: at(seconds),
  cpuPercent,
  memoryBytes: 2,
})

test('live samples are appended to the loaded points as steps, without overlaps', () => {
  const points = withLive(
    [point(0), point(15)],
    [sample(20, 90), sample(31, 10), sample(44, 30), sample(46, 5)],
    15,
  )
  expect(points.map((one) => one.at)).toEqual([at(0), at(15), at(30), at(45)])
  expect(points[2]).toMatchObject({ cpuPercent: 20, cpuPercentMax: 30, memoryBytes: 2 })
  expect(points.slice(0, 2)).toEqual([point(0), point(15)])
})

test('without loaded points the line begins with the samples', () => {
  expect(withLive([], [sample(31, 10)], 15)).toHaveLength(1)
})
