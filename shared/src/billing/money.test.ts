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
  ['1.234,56', 'EUR', 123_456],
  ['1,234.56', 'EUR', 123_456],
  ['1.234.567,8', 'EUR', 123_456_780],
  ['1.234.567', 'EUR', 123_456_700],
  ['1.234.567', 'JPY', 1_234_567],
  ['1,234', 'EUR', undefined],
  ['1,234', 'JPY', undefined],
  ['1.23,456', 'EUR', undefined],
  ['1.234,567', 'EUR', undefined],
  ['1,234,56', 'EUR', undefined],
  ['12.34.567', 'EUR', undefined],
  ['1234.567,89', 'EUR', undefined],
  ['1.5', 'KWD', 1500],
  ['1,5', 'KWD', 1500],
  ['', 'EUR', undefined],
])('"%s" typed in %s is the amount %s', (typed, currency, amount) => {
  expect(amountFromDecimal(typed, currency)).toBe(amount)
})

test('what parts thousands for one person and places for another is read as the person writes it, or not at all', () => {
  expect(amountFromDecimal('1.234', 'KWD')).toBe(1234)
  expect(amountFromDecimal('1,234', 'KWD')).toBeUndefined()
  expect(amountFromDecimal('1,234', 'KWD', ',')).toBe(1234)
  expect(amountFromDecimal('1.234', 'KWD', ',')).toBeUndefined()
  for (const mark of ['.', ','] as const)
    expect(amountFromDecimal('1.234,567', 'KWD', mark)).toBe(1_234_567)
})

test('refuses fractions of the smallest unit, negative amounts, too big ones, and codes that are no currency', () => {
  for (const amount of [0.5, -1, MAX_AMOUNT + 1])
    expect(Amount.safeParse(amount).success).toBe(false)
  for (const code of ['eur', 'XXX', 'EURO', ''])
    expect(Currency.safeParse(code).success).toBe(false)
})
