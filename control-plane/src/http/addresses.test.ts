import { describe, expect, test } from 'vitest'
import { addressSet, clientAddress } from './addresses.ts'

describe('a set of addresses', () => {
  const set = addressSet(['192.0.2.0/24', '198.51.100.7', '2001:db8::/32', '::ffff:203.0.113.5'])
  test.each(['192.0.2.1', '::ffff:192.0.2.1', '198.51.100.7', '2001:db8:1::9', '203.0.113.5'])(
    'holds %s',
    (address) => expect(set(address)).toBe(true),
  )
  test.each(['192.0.3.1', '198.51.100.8', '2001:db9::1', '::1', '', 'unknown', '192.0.2'])(
    'does not hold %j',
    (address) => expect(set(address)).toBe(false),
  )
})

describe('the address behind proxies', () => {
  const trusted = addressSet(['10.0.0.0/8'])
  test.each([
    ['a direct caller is believed nothing', '192.0.2.1', '127.0.0.1', '192.0.2.1'],
    ['one proxy', '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['two proxies', '10.0.0.1', '192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['what a caller made up stands further left', '10.0.0.1', '127.0.0.1, 192.0.2.1', '192.0.2.1'],
    ['a proxy that came in as IPv6', '::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['a proxy itself', '10.0.0.1', undefined, '10.0.0.1'],
    ['only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ])('%s', (_name, remote, header, expected) => {
    expect(clientAddress(remote, header, trusted)).toBe(expected)
  })
})
