import type { Price, PriceInput } from '@lodge/shared/billing/prices.ts'
import { expect, test } from 'vitest'
import { mergePrices } from './merge-prices.ts'

const typed = (cycle: PriceInput['cycle'], amount: number, currency = 'EUR'): PriceInput => ({
  ...{ cycle, amount, currency, setupFee: 0, trialDays: 0 },
})
const saved = (...given: Parameters<typeof typed>): Price => ({
  ...{ ...typed(...given), setupFee: 0, trialDays: 0 },
  ...{ id: '0190a5c8-0000-7000-8000-000000000001', createdAt: '2026-01-01T00:00:00.000Z' },
})
const known = [saved('monthly', 1000), saved('yearly', 10_000), saved('yearly', 11_000, 'USD')]

test('what each added, changed and removed is kept', () => {
  const mine = [typed('monthly', 900), typed('yearly', 10_000), typed('weekly', 300)]
  const theirs = [saved('monthly', 1000), saved('yearly', 11_000, 'USD'), saved('quarterly', 2900)]
  expect(mergePrices(mine, known, theirs)).toEqual({
    prices: [typed('monthly', 900), typed('weekly', 300), typed('quarterly', 2900)],
    conflict: undefined,
  })
})

test('the same change of both is no conflict, two of one price are', () => {
  const mine = [
    typed('monthly', 900),
    ...known.slice(1).map(({ cycle, amount, currency }) => typed(cycle, amount, currency)),
  ]
  expect(mergePrices(mine, known, [saved('monthly', 900), ...known.slice(1)]).conflict).toBe(
    undefined,
  )
  expect(mergePrices(mine, known, [saved('monthly', 800), ...known.slice(1)])).toEqual({
    prices: mine,
    conflict: { price: typed('monthly', 800), isRemoved: false },
  })
  expect(mergePrices(mine, known, known.slice(1)).conflict).toEqual({
    ...{ price: typed('monthly', 1000), isRemoved: true },
  })
  const removed = mine.slice(1)
  expect(mergePrices(removed, known, [saved('monthly', 800), ...known.slice(1)])).toEqual({
    prices: removed,
    conflict: { price: typed('monthly', 800), isRemoved: false },
  })
})
