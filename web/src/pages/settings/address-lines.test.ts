import { expect, test } from 'vitest'
import { addressFault, linesOf } from './address-lines.ts'

const fault = 'must be an address or a network, for example 192.0.2.0/24'

test('wrong addresses are named in one sentence, however many there are', () => {
  const lines = linesOf('192.0.2.7\nhome, office\n')
  expect(lines).toEqual(['192.0.2.7', 'home', 'office'])
  expect(addressFault(lines, { 'administratorAddresses/1': fault })).toBe(
    'home is neither an address nor a network. Write them like 192.0.2.7 or 192.0.2.0/24.',
  )
  expect(
    addressFault(lines, { 'administratorAddresses/1': fault, 'administratorAddresses/2': fault }),
  ).toBe(
    'home, office are neither addresses nor networks. Write them like 192.0.2.7 or 192.0.2.0/24.',
  )
})

test('an error about the whole list is shown as it is, and one about another field is not', () => {
  expect(addressFault([], { administratorAddresses: 'at most 200' })).toBe('at most 200')
  expect(addressFault([], { auditDays: 'must be at least 30' })).toBeUndefined()
})
