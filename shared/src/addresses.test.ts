import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressSet, isPublicAddress, networkOf, plainAddress } from './addresses.ts'

describe('an address has one spelling', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:FFFF:C000:0201', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['not an address', 'not an address'],
    ['0x7f.1', '0x7f.1'],
  ])('%s is %s', (written, plain) => expect(plainAddress(written)).toBe(plain))
})

const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
const hex = (group: number) => group.toString(16)

/** The same address in every form a socket or a proxy may write it. */
function spellings(parts: readonly number[]): string[] {
  const full = parts.map(hex).join(':')
  const padded = parts.map((part) => hex(part).padStart(4, '0')).join(':')
  const compressed = new URL(`http://[${full}]`).hostname.slice(1, -1)
  return [full, padded, padded.toUpperCase(), compressed, `${compressed}%eth0`]
}

describe('the network of one caller', () => {
  test('is the same /64 for every address in it, in every spelling', () => {
    fc.assert(
      fc.property(groups, groups, (one, other) => {
        // IPv4-mapped addresses do not form a /64.
        fc.pre(one.slice(0, 4).some((group) => group !== 0))
        const neighbour = [...one.slice(0, 4), ...other.slice(4)]
        const networks = [...spellings(one), ...spellings(neighbour)].map(networkOf)
        expect(new Set(networks).size).toBe(1)
      }),
    )
  })

  test('differs for another /64', () => {
    expect(networkOf('2001:db8::1')).toBe('2001:db8::/64')
    expect(networkOf('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64')
    expect(networkOf('2001::db8:0:0:1')).toBe('2001::/64')
  })

  test('is the address itself for IPv4, also when it arrives as IPv6', () => {
    for (const written of ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '::FFFF:192.0.2.7'])
      expect(networkOf(written)).toBe('192.0.2.7')
  })
})

describe('a set of addresses', () => {
  const set = addressSet([
    '192.0.2.0/24',
    '198.51.100.7',
    '2001:db8::/32',
    '::ffff:203.0.113.5',
    '::ffff:10.0.0.0/104',
  ])
  test.each([
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '::ffff:c000:201',
    '0:0:0:0:0:ffff:c000:201',
    '198.51.100.7',
    '2001:db8:1::9',
    '2001:0DB8:0000::1%eth0',
    '203.0.113.5',
    '10.200.1.1',
  ])('holds %s', (address) => expect(set(address)).toBe(true))
  test.each([
    '192.0.3.1',
    '198.51.100.8',
    '2001:db9::1',
    '::1',
    '',
    'unknown',
    '192.0.2',
    '11.0.0.1',
  ])('does not hold %j', (address) => expect(set(address)).toBe(false))
  test('that covers all of IPv6 contains no IPv4 address', () => {
    expect(addressSet(['::/0'])('192.0.2.1')).toBe(false)
    expect(addressSet(['0.0.0.0/0'])('2001:db8::1')).toBe(false)
  })
})

test('no spelling of a private address is taken for a public one', () => {
  for (const address of [
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
    'fd00::1',
    'fe80::1%eth0',
    '::1',
    '::',
    '0x7f000001',
    '0177.0.0.1',
  ])
    expect(isPublicAddress(address), address).toBe(false)
  expect(isPublicAddress('1.1.1.1')).toBe(true)
  expect(isPublicAddress('2606:4700:4700::1111')).toBe(true)
})
