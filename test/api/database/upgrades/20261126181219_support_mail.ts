import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables; all earlier mails belong to no conversation. */
export const upgrade: Upgrade = {
  before: [
    `insert into email_messages (id, template, to_address, subject, priority, message_id, expires_at)
     values ('0190d000-0000-7000-8000-000000000031', 'test', 'before-conversations@example.com', 'x', 0,
       '<before-conversations@example.com>', now() + interval '1 day')`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select conversation from email_messages where id = '0190d000-0000-7000-8000-000000000031'`,
    )
    expect(rows).toEqual([{ conversation: null }])
  },
}
