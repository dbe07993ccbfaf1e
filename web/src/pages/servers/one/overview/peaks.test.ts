import { MIB } from '@lodge/shared/units.ts'
import { expect, test } from 'vitest'
import { HOUR_MS, SLOTS, trends } from './peaks.ts'

const size = { cpuPercent: 200, memoryMb: 1024 }
const NOW = Date.parse('2026-01-01T12:00:00Z')
const ago = (ms: number) => NOW - ms

test('a trend shows the highest of its points, against the limit, at their positions in the hour', () => {
  const moments = [
    { at: ago(HOUR_MS + 1), cpuPercent: 190, memoryBytes: 900 * MIB, sent: 1e6 },
    { at: ago(HOUR_MS / 2), cpuPercent: 12.4, memoryBytes: 300 * MIB, sent: 2048 },
    { at: ago(0), cpuPercent: 99.6, memoryBytes: 200 * MIB, sent: 0 },
  ]
  const [cpu, memory, network] = trends(size, moments, NOW)
  expect(cpu).toMatchObject({ name: 'CPU', max: 200, peak: 'Peak 100%' })
  expect(memory).toMatchObject({ name: 'Memory', max: 1024 * MIB, peak: 'Peak 300 MiB' })
  expect(network).toMatchObject({ name: 'Network sent', peak: 'Peak 2 KiB/s' })
  const drawn = cpu?.values.flatMap((value, slot) => (value === null ? [] : [[slot, value]]))
  expect(drawn).toEqual([
    [SLOTS / 2, 12.4],
    [SLOTS - 1, 99.6],
  ])
})

test('without measurements it shows no data rather than zero', () => {
  for (const { values, peak } of trends(size, [], NOW)) {
    expect(peak).toBe('No data for this hour')
    expect(values.every((value) => value === null)).toBe(true)
  }
})
