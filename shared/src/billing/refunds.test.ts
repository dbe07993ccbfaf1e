import { expect, test } from 'vitest'
import { REFUND_STATES, refundMayBecome, taxInRefund } from './refunds.ts'

test.each([
  [1190, 190, [1190], [190]],
  [1190, 190, [595, 595], [95, 95]],
  [1190, 190, [1, 1, 1188], [0, 0, 190]],
  [1189, 190, [400, 400, 389], [64, 64, 62]],
  [999, 0, [500, 499], [0, 0]],
  [3, 1, [1, 1, 1], [0, 1, 0]],
  [9_999_999_999, 1_596_638_655, [9_999_999_998, 1], [1_596_638_655, 0]],
])('of %i with %i tax, refunds of %j contain %j tax', (gross, tax, amounts, expected) => {
  let before = 0
  const taxes = amounts.map((amount) => {
    const found = taxInRefund({ gross, tax, before, amount })
    before += amount
    return found
  })
  expect(taxes).toEqual(expected)
  expect(taxes.reduce((sum, one) => sum + one, 0)).toBe(tax)
})

test('more than the whole has no tax', () => {
  expect(() => taxInRefund({ gross: 100, tax: 10, before: 60, amount: 41 })).toThrow(RangeError)
})

test('a pending refund succeeds or fails, and one that succeeded may come back', () => {
  const moves = REFUND_STATES.flatMap((from) =>
    REFUND_STATES.filter((to) => refundMayBecome(from, to)).map((to) => `${from} > ${to}`),
  )
  expect(moves).toEqual([...['pending > succeeded', 'pending > failed', 'succeeded > reversed']])
})
