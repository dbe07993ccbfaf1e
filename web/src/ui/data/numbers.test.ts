import { afterEach, expect, test } from 'vitest'
import { writeTimestampsAs } from '../locale/timestamps.ts'
import { formatBytes, formatMib, numberText } from './numbers.ts'

afterEach(() => writeTimestampsAs({ locale: null, timeZone: null }))

test('sizes and numbers have the decimal sign of the reader', () => {
  writeTimestampsAs({ locale: 'en-US', timeZone: null })
  expect([formatMib(1536), formatBytes(1023), numberText(0.25)]).toEqual([
    '1.5 GiB',
    '1023 B',
    '0.25',
  ])
  writeTimestampsAs({ locale: 'de-DE', timeZone: null })
  expect([formatMib(1536), formatMib(1024), numberText(0.25)]).toEqual(['1,5 GiB', '1 GiB', '0,25'])
})
