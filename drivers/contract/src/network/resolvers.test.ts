import { expect, it } from 'vitest'
import { nameServersIn } from './resolvers.ts'

it('keeps only name servers that other machines can reach', () => {
  const text = `# nameserver 10.0.0.1
search example.org
nameserver 10.0.0.2
  nameserver fd00::53
nameserver 127.0.0.53
nameserver ::1
nameserver fe80::1%eth0
nameserver nonsense`
  expect(nameServersIn(text)).toEqual(['10.0.0.2', 'fd00::53'])
})
