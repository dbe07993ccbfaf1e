import { expect, test } from 'vitest'
import { CURRENCY_DECIMALS } from './currencies.ts'
import { Amount, amountFromDecimal, amountToDecimal, Currency, MAX_AMOUNT } from './money.ts'

test.each([
  ['EUR', 2],
  ['HUF', 2],
  ['TWD', 2],
  ['JPY', 0],
  ['KRW', 0],
  ['CLP', 0],
  ['UGX', 0],
  ['KWD', 3],
  ['BHD', 3],
  ['CLF', 4],
])('%s has %i decimal places, as ISO 4217 says', (currency, decimals) => {
  expect(CURRENCY_DECIMALS.get(currency)).toBe(decimals)
})

test.each([
  [999, 'EUR', '9.99'],
  [5, 'EUR', '0.05'],
  [-677, 'EUR', '-6.77'],
  [999, 'JPY', '999'],
  [999, 'KWD', '0.999'],
  [MAX_AMOUNT, 'HUF', '99999999.99'],
])('%i in %s is written as %s', (amount, currency, decimal) => {
  expect(amountToDecimal(amount, currency)).toBe(decimal)
})

test('what is typed is the same amount when it is written and typed again, in every currency', () => {
  for (const currency of CURRENCY_DECIMALS.keys())
    for (const amount of [0, 1, 9, 10, 99, 100, 999, 1001, 123_456_789, MAX_AMOUNT])
      expect(amountFromDecimal(amountToDecimal(amount, currency), currency), currency).toBe(amount)
})

test.each([
  ['9,99', 'EUR', 999],
  [' 9.9 ', 'EUR', 990],
  ['1.005', 'EUR', undefined],
  ['1.5', 'JPY', undefined],
  ['-1', 'EUR', undefined],
  ['1e3', 'EUR', undefined],
  ['100000000', 'EUR', undefined],
  ['', 'EUR', undefined],
])('"%s" typed in %s is the amount %s', (typed, currency, amount) => {
  expect(amountFromDecimal(typed, currency)).toBe(amount)
})

test('refuses fractions of the smallest unit, negative amounts, too big ones, and codes that are no currency', () => {
  for (const amount of [0.5, -1, MAX_AMOUNT + 1])
    expect(Amount.safeParse(amount).success).toBe(false)
  for (const code of ['eur', 'XXX', 'EURO', ''])
    expect(Currency.safeParse(code).success).toBe(false)
})
