import { expect, test } from 'vitest'
import { exactAmount, exactTime, unescaped, withoutTags } from './exact.ts'

test.each([
  ['9.99', 'EUR', 999],
  ['0.29', 'EUR', 29],
  ['1234567.10', 'EUR', 123_456_710],
  ['9.9900', 'EUR', 999],
  ['500.00', 'JPY', 500],
  ['1.250', 'KWD', 1250],
  ['7', 'EUR', 700],
  ['9.999', 'EUR', undefined],
  ['500.50', 'JPY', undefined],
  ['-1.00', 'EUR', undefined],
  ['1,50', 'EUR', undefined],
  ['1e3', 'EUR', undefined],
  ['', 'EUR', undefined],
  ['99999999999.00', 'EUR', undefined],
  ['1.00', 'XBT', undefined],
])('%s %s is the amount %s', (text, currency, amount) => {
  expect(exactAmount(text, currency)).toBe(amount)
})

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31 12:30:00', '2026-01-31T12:30:00.000Z'],
  ['0000-00-00', undefined],
  ['2026-02-30', undefined],
  ['2026-13-01', undefined],
  ['31/01/2026', undefined],
  [null, undefined],
])('%s is the time %s', (text, time) => {
  expect(exactTime(text)?.toISOString()).toBe(time)
})

test('text that is stored as HTML is decoded to what people typed', () => {
  expect(unescaped('O&#039;Brien &amp; S&#xF6;n &quot;x&quot; &unknown; &#0; &amp;lt;')).toBe(
    'O\'Brien & Sön "x" &unknown; &#0; &lt;',
  )
  expect(withoutTags('<p>4 GB</p><ul><li>1 <b>core</b></li></ul>2 < 3')).toBe('4 GB\n1 core\n2 < 3')
})
