import { ENGLISH, loadTranslations, speak } from '@lodge/shared/words/bind.ts'
import { afterEach, expect, test } from 'vitest'
import { writeTimestampsAs } from '../../ui/locale/timestamps.ts'
import { amountText, moneyText, priceText } from './price-words.ts'

afterEach(() => {
  speak(ENGLISH)
  writeTimestampsAs({ locale: null, timeZone: null })
})

/** Replaces the narrow spaces of some locales. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ')

test('money is in the reader’s format, with every decimal of the currency', () => {
  writeTimestampsAs({ locale: 'en-US', timeZone: null })
  expect([moneyText(123_456, 'EUR'), moneyText(500, 'JPY'), moneyText(-5, 'USD')]).toEqual([
    '€1,234.56',
    '¥500',
    '-$0.05',
  ])
  // ISO 4217 has three decimals, of which Intl knows none.
  expect(plain(moneyText(1500, 'IQD'))).toBe('IQD 1.500')
  writeTimestampsAs({ locale: 'de', timeZone: null })
  expect(plain(moneyText(123_456, 'EUR'))).toBe('1.234,56 €')
})

test('an amount without its currency has the reader’s decimal separator, too', () => {
  writeTimestampsAs({ locale: 'en-US', timeZone: null })
  const all = () =>
    [amountText(123_450, 'EUR'), amountText(-500, 'JPY'), amountText(1500, 'KWD')].join(' ')
  expect(all()).toBe('1,234.50 -500 1.500')
  writeTimestampsAs({ locale: 'de', timeZone: null })
  expect(all()).toBe('1.234,50 -500 1,500')
})

test('a price includes how often it is paid, in the panel’s language', async () => {
  const price = { amount: 999, currency: 'EUR', cycle: 'biennial' } as const
  expect(priceText(price)).toBe('€9.99 every two years')
  await loadTranslations('de')
  speak('de')
  writeTimestampsAs({ locale: 'de', timeZone: null })
  expect(plain(priceText(price))).toBe('9,99 € alle zwei Jahre')
  expect(plain(priceText({ ...price, cycle: 'monthly' }))).toBe('9,99 € monatlich')
})
