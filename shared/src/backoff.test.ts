import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

const waits = (spread: number, chance: number) =>
  Array.from({ length: 40 }, (_, failures) =>
    backoffMs(failures, { leastMs: 100, mostMs: 1000, spread }, chance),
  )

test('waits double with each failure up to the most, also after very many', () => {
  expect(waits(0, 0).slice(0, 6)).toEqual([100, 200, 400, 800, 1000, 1000])
  expect(waits(0, 0).at(-1)).toBe(1000)
})

test('chance decides over the part that is left to it, between half of the least and the whole', () => {
  expect(waits(1, 1)).toEqual(waits(0, 0))
  expect(new Set(waits(1, 0))).toEqual(new Set([50]))
  expect(waits(0.5, 0).slice(0, 3)).toEqual([75, 125, 225])
})
