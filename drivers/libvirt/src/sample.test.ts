import { expect, test } from 'vitest'
import { memoryOf } from './sample.ts'

const KIB = 1024

test('memory is the use that the guest reports, if it does', () => {
  const values = {
    'balloon.current': 262_144,
    'balloon.available': 200_000,
    'balloon.usable': 150_000,
    'balloon.rss': 330_000,
  }
  expect(memoryOf(values)).toEqual({ memoryBytes: 50_000 * KIB, memoryOfNode: false })
})

test('memory without a balloon driver is measured by the node and capped at the size', () => {
  const size = { 'balloon.current': 262_144, 'balloon.maximum': 262_144 }
  const taken = (rss: number) => memoryOf({ ...size, 'balloon.rss': rss })
  expect(taken(100_000)).toEqual({ memoryBytes: 100_000 * KIB, memoryOfNode: true })
  expect(taken(330_000)).toEqual({ memoryBytes: 262_144 * KIB, memoryOfNode: true })
  // What it may use at most is not what it uses.
  expect(memoryOf(size)).toBeNull()
})
