import { expect, test } from 'vitest'
import { countryOf, placeOf } from './tax-place.ts'

test('a country is known by its code and its English name, and anything else is not', () => {
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

test('what may not stand here is left out, and the rest is taken', () => {
  const place = {
    country: 'AT',
    postalCode: ' 8010 ',
    region: 'x'.repeat(99),
    taxNumber: 'ATU\u0007',
  }
  expect(placeOf(place)).toEqual({ country: 'AT', postalCode: '8010', region: '', taxNumber: '' })
})
