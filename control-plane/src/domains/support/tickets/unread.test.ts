import { expect, test } from 'vitest'
import { isUnread } from './unread.ts'

const [one, two, three] = [1, 2, 3].map((minute) => new Date(2026, 10, 27, 12, minute))
if (!one || !two || !three) throw new Error('there are three')
const asked = { ...{ requesterId: 'ann', lastCustomerAt: one, lastAgentAt: null, readAt: null } }
const answered = { ...asked, lastAgentAt: two }
const ann = { id: 'ann', isStaff: false }
const agent = { id: 'bob', isStaff: true }

test.each([
  ['a new ticket is unread for staff', { ...asked, status: 'new' }, agent, true],
  ['a new ticket is read for its author', { ...asked, status: 'new' }, ann, false],
  [
    'a new ticket is read for an agent who has read it',
    { ...asked, status: 'new', readAt: one },
    agent,
    false,
  ],
  ['an answer is unread for the customer', { ...answered, status: 'pending' }, ann, true],
  ['an answer is read for staff', { ...answered, status: 'pending' }, agent, false],
  [
    'an answer after the last look is unread',
    { ...answered, status: 'pending', readAt: one },
    ann,
    true,
  ],
  [
    'an answer before the last look is read',
    { ...answered, status: 'pending', readAt: two },
    ann,
    false,
  ],
  [
    'a customer who answers by mail has read the answer',
    { ...answered, status: 'open', lastCustomerAt: three },
    ann,
    false,
  ],
  [
    'an answer by mail is unread for staff',
    { ...answered, status: 'open', lastCustomerAt: three, readAt: two },
    agent,
    true,
  ],
  ['a ticket solved without an answer is read', { ...asked, status: 'solved' }, agent, false],
  [
    'an agent’s own ticket is unread as for a customer',
    { ...answered, status: 'pending' },
    { ...ann, isStaff: true },
    true,
  ],
] as const)('%s', (_what, row, reader, unread) => {
  expect(isUnread(row, reader)).toBe(unread)
})
