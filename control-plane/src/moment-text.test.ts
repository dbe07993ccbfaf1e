import { expect, test } from 'vitest'
import { momentText, type Reader } from './moment-text.ts'

const AT = new Date('2026-11-22T09:30:00Z')

test.each<[Reader, string]>([
  [{ language: 'en', locale: null, timeZone: null }, '22 November 2026, 09:30 UTC'],
  [{ language: 'en', locale: null, timeZone: 'Europe/Zurich' }, '22 November 2026, 10:30 CET'],
  [{ language: 'en', locale: 'de-CH', timeZone: 'Europe/Zurich' }, '22. November 2026, 10:30 MEZ'],
  [{ language: 'de', locale: null, timeZone: 'Europe/Berlin' }, '22. November 2026, 10:30 MEZ'],
  [{ language: 'en', locale: 'en-US', timeZone: null }, 'November 22, 2026, 09:30 AM UTC'],
  [
    { language: 'en', locale: null, timeZone: 'Pacific/Auckland' },
    '22 November 2026, 22:30 GMT+13',
  ],
])('for %o a moment is %s', (reader, text) => {
  expect(momentText(AT, reader).replaceAll(/\s/g, ' ')).toBe(text)
})

test('whoever has no account reads UTC', () => {
  expect(momentText(AT)).toBe('22 November 2026, 09:30 UTC')
})
