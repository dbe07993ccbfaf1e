import { expect, test } from 'vitest'
import { figureText, shareText, valueScale } from './chart-units.ts'

const MIB = 2 ** 20

test('figures have binary units, a space before them and none before the percent sign', () => {
  expect(figureText('percent', 0.44)).toBe('0.4%')
  expect(figureText('percent', 37.4)).toBe('37%')
  expect(figureText('bytes', 412 * MIB)).toBe('412 MiB')
  expect(figureText('bytesPerSecond', 12.4)).toBe('12 B/s')
  expect(figureText('bytesPerSecond', 1536)).toBe('1.5 KiB/s')
  expect(shareText(512 * MIB, 2048 * MIB)).toBe('25% of the limit')
})

test.for([
  [200, ['0%', '50%', '100%', '150%', '200%']],
  [25, ['0%', '10%', '20%']],
  [1200, ['0%', '300%', '600%', '900%', '1200%']],
] as const)(
  'the axis of a CPU limit of %i% is divided evenly or by round numbers',
  ([limit, expected]) => {
    const { top, ticks } = valueScale('percent', 3, limit)
    expect(ticks.map((tick) => figureText('percent', tick))).toEqual(expected)
    expect(top).toBeGreaterThan(limit)
  },
)

test.for([
  [2048, ['0 B', '512 MiB', '1 GiB', '1.5 GiB', '2 GiB']],
  [10_240, ['0 B', '2.5 GiB', '5 GiB', '7.5 GiB', '10 GiB']],
  [1536, ['0 B', '768 MiB', '1.5 GiB']],
] as const)('the axis of a limit of %i MiB shows exact sizes', ([limit, expected]) => {
  const { ticks } = valueScale('bytes', MIB, limit * MIB)
  expect(ticks.map((tick) => figureText('bytes', tick))).toEqual(expected)
})

test('without a limit the axis ends at a round number above the peak', () => {
  const { top, ticks } = valueScale('bytesPerSecond', 340 * 1024, undefined)
  expect(ticks.map((tick) => figureText('bytesPerSecond', tick))).toEqual([
    '0 B/s',
    '100 KiB/s',
    '200 KiB/s',
    '300 KiB/s',
    '400 KiB/s',
  ])
  expect(top).toBe(400 * 1024)
})

test('nothing but zeros still has an axis', () => {
  expect(valueScale('bytesPerSecond', 0, undefined).ticks.length).toBeGreaterThan(1)
  expect(valueScale('percent', 0, undefined).top).toBeGreaterThan(0)
})

test('a peak above the limit is not cut off, and the limit stays visible', () => {
  const { top, ticks } = valueScale('percent', 350, 200)
  expect(top).toBeGreaterThan(350)
  expect(ticks.at(-1)).toBeGreaterThanOrEqual(350)
})
