import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

const waits = (spread: number, chance: number) =>
  Array.from({ length: 40 }, (_, failures) =>
    backoffMs(failures, { leastMs: 100, mostMs: 1000, spread }, chance),
  )

test('the wait doubles with each failure up to the maximum, also after very many', () => {
  expect(waits(0, 0).slice(0, 6)).toEqual([100, 200, 400, 800, 1000, 1000])
  expect(waits(0, 0).at(-1)).toBe(1000)
})

test('jitter varies the wait only within the spread, from half of the minimum to all of it', () => {
  expect(waits(1, 1)).toEqual(waits(0, 0))
  expect(new Set(waits(1, 0))).toEqual(new Set([50]))
  expect(waits(0.5, 0).slice(0, 3)).toEqual([75, 125, 225])
})
