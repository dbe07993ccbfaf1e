import { expect, test } from 'vitest'
import { isUnread } from './unread.ts'

const [one, two, three] = [1, 2, 3].map((minute) => new Date(2026, 10, 27, 12, minute))
if (!one || !two || !three) throw new Error('there are three')
const asked = { ...{ requesterId: 'ann', lastCustomerAt: one, lastAgentAt: null, readAt: null } }
const answered = { ...asked, lastAgentAt: two }
const ann = { id: 'ann', isStaff: false }
const agent = { id: 'bob', isStaff: true }

test.each([
  ['a new ticket is unread to the staff', { ...asked, status: 'new' }, agent, true],
  ['and not to whoever wrote it', { ...asked, status: 'new' }, ann, false],
  ['nor once an agent has read it', { ...asked, status: 'new', readAt: one }, agent, false],
  ['an answer is unread to the customer', { ...answered, status: 'pending' }, ann, true],
  ['and to nobody of the staff', { ...answered, status: 'pending' }, agent, false],
  ['what came after the last look is', { ...answered, status: 'pending', readAt: one }, ann, true],
  ['what was looked at is not', { ...answered, status: 'pending', readAt: two }, ann, false],
  [
    'who answers by mail has read it',
    { ...answered, status: 'open', lastCustomerAt: three },
    ann,
    false,
  ],
  [
    'and the staff has not',
    { ...answered, status: 'open', lastCustomerAt: three, readAt: two },
    agent,
    true,
  ],
  [
    'what was ended without an answer waits for nobody',
    { ...asked, status: 'solved' },
    agent,
    false,
  ],
  [
    'an agent reads their own ticket as a customer does',
    { ...answered, status: 'pending' },
    { ...ann, isStaff: true },
    true,
  ],
] as const)('%s', (_what, row, reader, unread) => {
  expect(isUnread(row, reader)).toBe(unread)
})
