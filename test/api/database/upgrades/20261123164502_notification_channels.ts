import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Two new tables, and a column of mails that is empty for earlier ones. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select from email_messages where unsubscribe_url is not null',
    )
    expect(rows).toEqual([])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { state } = await admin.must('POST /api/notification-channels', {
      body: {
        name: 'Mine',
        kind: 'webhook',
        url: 'https://example.com/',
        events: ['node.offline'],
      },
    })
    expect(state).toBe('active')
  },
}
