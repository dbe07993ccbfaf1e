import { addressSet } from '@lodge/shared/addresses.ts'
import { describe, expect, test } from 'vitest'
import { clientAddress } from './addresses.ts'

describe('the address behind proxies', () => {
  const trusted = addressSet(['10.0.0.0/8'])
  test.each([
    ['a direct caller cannot forge the header', '192.0.2.1', '127.0.0.1', '192.0.2.1'],
    ['one proxy', '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['two proxies', '10.0.0.1', '192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['forged entries further left are ignored', '10.0.0.1', '127.0.0.1, 192.0.2.1', '192.0.2.1'],
    ['a proxy with an IPv4-mapped address', '::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['a proxy itself', '10.0.0.1', undefined, '10.0.0.1'],
    ['only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a caller with an IPv4-mapped address', '::ffff:c000:201', undefined, '192.0.2.1'],
    ['an invalid entry is ignored', '10.0.0.1', '192.0.2.1, unknown', '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ])('%s', (_name, remote, header, expected) => {
    expect(clientAddress(remote, header, trusted)).toBe(expected)
  })
})
