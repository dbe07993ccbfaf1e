import { expect } from 'vitest'
import { KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const ANSWERED = '01931d5e-4f00-7000-8000-0000000000a1'
const ASKED = '01931d5e-4f00-7000-8000-0000000000a2'

const ticket = (id: string, status: string, answeredAt: string) =>
  `insert into support_tickets (id, subject, status, priority, source, answers, requester_id,
     requester_email, created_at, updated_at, touched_at, last_customer_at, last_agent_at, status_since)
   values ('${id}', 'It stops', '${status}', 'normal', 'web', '{}', '${KNOWN.customer}',
     'ada@example.com', now(), now(), now(), now(), ${answeredAt}, now())`

/** Tickets answered before count as read by the customer; open ones are unread for the staff. */
export const upgrade: Upgrade = {
  before: [ticket(ANSWERED, 'pending', 'now()'), ticket(ASKED, 'open', 'null')],
  async after(pool) {
    const { rows } = await pool.query('select user_id, ticket_id from support_reads')
    expect(rows).toEqual([{ user_id: KNOWN.customer, ticket_id: ANSWERED }])
  },
  async works(lodge) {
    const shown = async (userId: string) => {
      const { items } = await (await lodge.session(userId)).must('GET /api/support/tickets')
      return Object.fromEntries(items.map(({ id, unread }) => [id, unread]))
    }
    expect(await shown(KNOWN.customer)).toEqual({ [ANSWERED]: false, [ASKED]: false })
    expect(await shown(KNOWN.admin)).toMatchObject({ [ANSWERED]: false, [ASKED]: true })
  },
}
