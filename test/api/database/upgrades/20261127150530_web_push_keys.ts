import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** A table for a key that is created for the first browser. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as keys from web_push_keys')
    expect(rows).toEqual([{ keys: 0 }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { publicKey } = await admin.must('GET /api/notification-channels/web-push-key')
    expect(publicKey).toMatch(/^B[\w-]{86}$/)
  },
}
