import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CYCLES } from './cycles.ts'
import { MAX_AMOUNT } from './money.ts'
import { monthlyAmount } from './mrr.ts'

test.each([
  [999, 'monthly', 999],
  [300, 'weekly', 1300],
  // 43.33 and 6.5.
  [10, 'weekly', 43],
  [9999, 'yearly', 833],
  [78, 'yearly', 7],
  [77, 'yearly', 6],
  [1000, 'quarterly', 333],
  [1001, 'semiannual', 167],
  [20_000, 'biennial', 833],
  [36, 'triennial', 1],
  [0, 'yearly', 0],
] as const)('%i paid %s is %i a month', (amount, cycle, monthly) => {
  expect(monthlyAmount(amount, cycle)).toBe(monthly)
})

test('every price is within half a unit of what it is a month', () => {
  const months = { weekly: 12 / 52, monthly: 1, quarterly: 3, semiannual: 6 } as const
  const longer = { yearly: 12, biennial: 24, triennial: 36 } as const
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: MAX_AMOUNT }),
      fc.constantFrom(...CYCLES),
      (amount, cycle) => {
        const exact = amount / { ...months, ...longer }[cycle]
        const monthly = monthlyAmount(amount, cycle)
        expect(Number.isSafeInteger(monthly)).toBe(true)
        expect(Math.abs(monthly - exact)).toBeLessThanOrEqual(0.5 + 1e-5)
      },
    ),
  )
})
