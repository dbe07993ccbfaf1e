import { afterEach, expect, test } from 'vitest'
import { decimalMark, readDecimal, typedDecimal } from './decimals.ts'
import { writeTimestampsAs } from './timestamps.ts'

afterEach(() => writeTimestampsAs({ locale: null, timeZone: null }))

test.each([
  ['de', ',', '0,25'],
  ['de-CH', '.', '0.25'],
  ['en-GB', '.', '0.25'],
  ['ar-EG', '.', '0.25'],
])('a number in a field is written as readers of %s write it', (locale, mark, typed) => {
  writeTimestampsAs({ locale, timeZone: null })
  expect([decimalMark(), typedDecimal(0.25), typedDecimal('0.25')]).toEqual([mark, typed, typed])
  expect(readDecimal(typed)).toBe(0.25)
})

test('a point and a comma are both read, and nothing else', () => {
  expect([readDecimal(' 1,5 '), readDecimal('1.5'), readDecimal('12')]).toEqual([1.5, 1.5, 12])
  for (const typed of ['', '1.234,5', '1,2,3', '-1', '1e3', 'x'])
    expect(readDecimal(typed)).toBeNaN()
})
