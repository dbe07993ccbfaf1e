import { expect } from 'vitest'
import { KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const TICKET = '01931d5e-4f00-7000-8000-0000000000b1'

const participant = (role: string, email: string, user: string) =>
  `insert into support_participants (id, ticket_id, role, email, user_id)
   values (gen_random_uuid(), '${TICKET}', '${role}', '${email}', ${user})`

/** Tickets of before lead to the address that an account has now, once for each person. */
export const upgrade: Upgrade = {
  before: [
    `insert into support_tickets (id, subject, status, priority, source, answers, requester_id,
       requester_email, created_at, updated_at, touched_at, status_since)
     values ('${TICKET}', 'It lags', 'open', 'normal', 'web', '{}', '${KNOWN.admin}',
       'former@example.com', now(), now(), now(), now())`,
    participant('copy', 'root@example.com', 'null'),
    participant('requester', 'former@example.com', `'${KNOWN.admin}'`),
    participant('copy', 'friend@example.org', 'null'),
  ],
  changes: [
    'support_participants',
    'support_participants.email',
    'support_participants.reply_epoch',
    'support_tickets.requester_email',
  ],
  async after(pool) {
    const people = await pool.query(
      `select role, email, reply_epoch from support_participants where ticket_id = $1 order by email`,
      [TICKET],
    )
    expect(people.rows).toEqual([
      { role: 'copy', email: 'friend@example.org', reply_epoch: 0 },
      { role: 'requester', email: 'root@example.com', reply_epoch: 1 },
    ])
    const tickets = await pool.query('select requester_email from support_tickets where id = $1', [
      TICKET,
    ])
    expect(tickets.rows).toEqual([{ requester_email: 'root@example.com' }])
  },
}
