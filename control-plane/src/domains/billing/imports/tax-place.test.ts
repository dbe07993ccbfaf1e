import { expect, test } from 'vitest'
import { countryOf, placeOf } from './tax-place.ts'

test('recognises a country by its code and by its English name, and nothing else', () => {
  const written = [
    'at',
    ' DE ',
    'Germany',
    'united kingdom',
    'UK',
    'GB',
    'Viet Nam',
    'Atlantis',
    '',
  ]
  expect(written.map(countryOf)).toEqual(['AT', 'DE', 'DE', 'GB', 'GB', 'GB', '', '', ''])
})

test('drops fields that are not valid here and keeps the others', () => {
  const place = {
    country: 'AT',
    postalCode: ' 8010 ',
    region: 'x'.repeat(99),
    taxNumber: 'ATU\u0007',
  }
  expect(placeOf(place)).toEqual({ country: 'AT', postalCode: '8010', region: '', taxNumber: '' })
})
