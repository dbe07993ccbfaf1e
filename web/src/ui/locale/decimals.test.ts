import { afterEach, expect, test } from 'vitest'
import { decimalMark, readDecimal, typedDecimal } from './decimals.ts'
import { writeTimestampsAs } from './timestamps.ts'

afterEach(() => writeTimestampsAs({ locale: null, timeZone: null }))

test.each([
  ['de', ',', '0,25'],
  ['de-CH', '.', '0.25'],
  ['en-GB', '.', '0.25'],
  ['ar-EG', '.', '0.25'],
])('a number in a field is formatted for readers of %s', (locale, mark, typed) => {
  writeTimestampsAs({ locale, timeZone: null })
  expect([decimalMark(), typedDecimal(0.25), typedDecimal('0.25')]).toEqual([mark, typed, typed])
  expect(readDecimal(typed)).toBe(0.25)
})

test('both a point and a comma are accepted, and nothing else', () => {
  expect([readDecimal(' 1,5 '), readDecimal('1.5'), readDecimal('12')]).toEqual([1.5, 1.5, 12])
  for (const typed of [
    '',
    '1,2,3',
    '-1',
    '1e3',
    'x',
    '1.234.5',
    '1.234,567,8',
    '12 34',
    '1 234’567',
  ])
    expect(readDecimal(typed)).toBeNaN()
})

test.each([
  ['de', '1.500', 1500],
  ['de', '1,500', 1.5],
  ['de', '0.500', 0.5],
  ['de', '1.50', 1.5],
  ['de-CH', '1.500', 1.5],
  ['de-CH', '1’500', 1500],
  ['en-GB', '1.500', 1.5],
  ['en-GB', '1,500', 1500],
])('for readers of %s, %s means %d', (locale, typed, number) => {
  writeTimestampsAs({ locale, timeZone: null })
  expect(readDecimal(typed)).toBe(number)
})

test('several separators are unambiguous for every reader', () => {
  for (const locale of ['de', 'en-GB', 'de-CH']) {
    writeTimestampsAs({ locale, timeZone: null })
    expect(['1.234,5', '1,234.5', '1 234,5', '1’234.5'].map(readDecimal)).toEqual([
      1234.5, 1234.5, 1234.5, 1234.5,
    ])
    expect(['1.234.567', '1,234,567', '1 234 567'].map(readDecimal)).toEqual([
      1_234_567, 1_234_567, 1_234_567,
    ])
  }
})
