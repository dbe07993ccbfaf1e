import { expect, test } from 'vitest'
import { anyOf, drawn, seedChance, shuffled } from './chance.ts'

function draws(seed: number) {
  seedChance(seed)
  return [drawn(0, 1e9), drawn(3, 4), anyOf(['a', 'b', 'c']), shuffled([1, 2, 3, 4, 5, 6])]
}

test('the same seed gives the same draws, another seed different ones', () => {
  const first = draws(1)
  expect(draws(1)).toEqual(first)
  expect(draws(2)).not.toEqual(first)
  expect(first[1]).toBe(3)
  expect((first[3] as number[]).toSorted()).toEqual([1, 2, 3, 4, 5, 6])
})

test('draws cover the whole range', () => {
  seedChance(7)
  const counts = new Map<number, number>()
  for (let count = 0; count < 10_000; count += 1) {
    const one = drawn(0, 10)
    counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  expect(counts.size).toBe(10)
  expect(Math.min(...counts.values())).toBeGreaterThan(800)
})
