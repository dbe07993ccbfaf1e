import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const REFUND = '0b110000-0000-7000-8000-00000000000f'
const INVOICE = '0b110000-0000-7000-8000-000000000010'

/** Earlier refunds keep their numbers, and no payment was reversed. */
export const upgrade: Upgrade = {
  before: [
    `insert into invoices (id, number, plan_name, buyer, kind, status, currency, lines, total, amount_paid, issued_at, due_at, paid_at)
     values ('${INVOICE}', 'OLD-2026-000003', 'Plan', '{"email": "a@example.com", "name": "Ada"}', 'first',
       'paid', 'EUR', '[]', 500, 500, now(), now(), now())`,
    `insert into refunds (id, invoice_id, number, amount, tax, way, state, reason, created_at, settled_at)
     values ('${REFUND}', '${INVOICE}', 'OLD-CN-2026-000001', 100, 0, 'host', 'succeeded', '', now(), now())`,
  ],
  after: async (pool) => {
    const { rows } = await pool.query(
      'select distinct taken_back::int, seen_at from invoice_payments',
    )
    expect(rows).toEqual([{ taken_back: 0, seen_at: null }])
  },
  works: async (lodge) => {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/billing/invoices')
    expect(items.find(({ id }) => id === INVOICE)).toMatchObject({
      refundable: 400,
      refunds: [{ id: REFUND, state: 'succeeded' }],
    })
  },
}
