import { addressSet } from '@lodge/shared/addresses.ts'
import { describe, expect, test } from 'vitest'
import { clientAddress } from './addresses.ts'

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
    ['a caller that came in as IPv6', '::ffff:c000:201', undefined, '192.0.2.1'],
    ['what is no address tells nothing', '10.0.0.1', '192.0.2.1, unknown', '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ])('%s', (_name, remote, header, expected) => {
    expect(clientAddress(remote, header, trusted)).toBe(expected)
  })
})
