import { expect, test } from 'vitest'
import { sparkSlots } from './spark-slots.ts'

test('values stand where they were measured, and a gap stays a gap', () => {
  const points = [
    { at: 1_010, value: 2 },
    { at: 1_020, value: 4 },
    { at: 1_399, value: 9 },
    { at: 1_400, value: 11 },
  ]
  expect(sparkSlots(points, 1_400, 400, 4)).toEqual([3, null, null, 10])
})

test('values older than the line are left out', () => {
  expect(sparkSlots([{ at: 500, value: 1 }], 1_400, 400, 2)).toEqual([null, null])
})
