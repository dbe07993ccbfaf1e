import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** The session of a browser subscribed before is unknown. */
export const upgrade: Upgrade = {
  before: [
    `insert into notification_channels (id, user_id, name, kind, target, events)
      select '0c0ffee0-0000-4000-8000-0000000000c5', id, 'Firefox from before', 'web_push', '\\x00', '{}'
      from users order by id limit 1`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select session_id as "sessionId" from notification_channels where name = 'Firefox from before'`,
    )
    expect(rows).toEqual([{ sessionId: null }])
  },
}
