import { expect, test } from 'vitest'
import { growthExponent } from './slope.ts'

const sizes = [10, 1000, 100_000]

test('constant, linear and quadratic costs have the exponents 0, 1 and 2', () => {
  for (const exponent of [0, 1, 2]) {
    const points = sizes.map((size) => ({ size, cost: 7 * size ** exponent }))
    expect(growthExponent(points)).toBeCloseTo(exponent)
  }
})

test('too few sizes, or too close together, give no growth exponent', () => {
  expect(() => growthExponent([{ size: 1, cost: 1 }])).toThrow('three sizes')
  expect(() => growthExponent([1, 2, 3].map((size) => ({ size, cost: 1 })))).toThrow('three sizes')
})
