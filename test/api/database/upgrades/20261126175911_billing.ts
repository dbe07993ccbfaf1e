import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Earlier subscriptions are free and continue unchanged. */
export const upgrade: Upgrade = {
  before: [
    `insert into subscriptions (id, user_id, plan_id, status)
     select '0b110000-0000-7000-8000-00000000000a', owner_id, '0b110000-0000-7000-8000-000000000001', 'active'
     from servers where id = '${KNOWN.server}'`,
  ],
  after: async (pool) => {
    const { rows } = await pool.query(
      `select price_id, period_end, cancel_at_period_end, next_at from subscriptions
       where id = '0b110000-0000-7000-8000-00000000000a'`,
    )
    expect(rows).toEqual([
      { price_id: null, period_end: null, cancel_at_period_end: false, next_at: null },
    ])
  },
  works: async (lodge) => {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/billing/subscriptions')
    expect(items.find(({ planName }) => planName === 'Before prices')).toMatchObject({
      ...{ status: 'active', price: null },
    })
  },
}
