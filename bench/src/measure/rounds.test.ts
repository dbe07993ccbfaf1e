import { expect, test } from 'vitest'
import { interleave, median, medianRatio, quantile, separation } from './rounds.ts'

test('sides alternate, and every other round in reverse order', async () => {
  const order: string[] = []
  const side = (name: string) => async () => order.push(name)
  const results = await interleave(3, { limit: side('limit'), ours: side('ours') })
  expect(order).toEqual(['limit', 'ours', 'ours', 'limit', 'limit', 'ours'])
  expect(results.limit).toEqual([1, 4, 5])
})

test('the median of the ratios is not affected by one round in which the machine was busy', () => {
  const limit = [10, 10, 400, 10, 10]
  const ours = [11, 12, 440, 90, 11]
  expect(medianRatio(ours, limit, (value) => value)).toBeCloseTo(1.1)
  expect(() => medianRatio([1], [], (value: number) => value)).toThrow('same number')
})

test('quantiles are interpolated linearly', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(quantile([0, 10], 0.25)).toBe(2.5)
  expect(quantile([7], 0.99)).toBe(7)
  expect(() => median([])).toThrow('nothing')
})

test('equal sides cannot be told apart, different sides can', () => {
  expect(separation([1, 2, 3], [1, 2, 3])).toBe(0.5)
  expect(separation([4, 5], [1, 2, 3])).toBe(1)
  expect(separation([1, 2], [3, 3])).toBe(0)
  expect(separation([1, 3], [2, 2])).toBe(0.5)
  expect(separation([2, 3], [1, 2, 4])).toBeCloseTo(3.5 / 6)
  expect(() => separation([], [1])).toThrow('nothing')
})
