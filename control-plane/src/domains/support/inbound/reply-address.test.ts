import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTokenOf, parseReplyAddress, replyAddress } from './reply-address.ts'

const key = Buffer.alloc(32, 5)
const address = 'support@desk.example.com'
const path = { ticketId: 'ticket-1', participantId: 'ann', epoch: 1 }

test('an address identifies its ticket and participant, in any letter case', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string(), fc.string(), fc.nat(), (number, ticketId, who, epoch) => {
      const made = { ticketId, participantId: who, epoch }
      const sent = replyAddress({ address, key }, number, made)
      const named = parseReplyAddress('Support@Desk.Example.com', sent.toUpperCase())
      expect(named?.number).toBe(number)
      expect(isTokenOf(key, named?.token ?? '', made)).toBe(true)
    }),
  )
})

test('the local part fits in the 64 characters of a mailbox', () => {
  const sent = replyAddress({ address, key }, 999_999_999_999, path)
  expect(sent.split('@')[0]?.length).toBeLessThanOrEqual(64)
})

test.each([
  ['another ticket', { ...path, ticketId: 'ticket-2' }],
  ['another participant', { ...path, participantId: 'bob' }],
  ['a later epoch', { ...path, epoch: 2 }],
])('a token is not valid for %s', (_what, other) => {
  const { token } = parseReplyAddress(address, replyAddress({ address, key }, 7, path)) ?? {}
  expect(isTokenOf(key, token ?? '', other)).toBe(false)
  expect(isTokenOf(Buffer.alloc(32, 6), token ?? '', path)).toBe(false)
})

test.each([
  'support@desk.example.com',
  'support+7@desk.example.com',
  'support+7.abc@desk.example.com',
  `support+7.${'a'.repeat(26)}@other.example.com`,
  `sales+7.${'a'.repeat(26)}@desk.example.com`,
  `support+7.${'1'.repeat(26)}@desk.example.com`,
  `support+-7.${'a'.repeat(26)}@desk.example.com`,
  'support',
])('%s is no reply address', (recipient) => {
  expect(parseReplyAddress(address, recipient)).toBeUndefined()
})
