import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const INVOICE = '0b110000-0000-7000-8000-00000000000c'
const PAYMENT = '0b110000-0000-7000-8000-00000000000d'

/** What was paid before can be refunded. */
export const upgrade: Upgrade = {
  before: [
    `insert into invoices (id, number, plan_name, buyer, kind, status, currency, lines, total, amount_paid, issued_at, due_at, paid_at)
     values ('${INVOICE}', 'OLD-2026-000002', 'Plan', '{"email": "a@example.com", "name": "Ada"}', 'first',
       'paid', 'EUR', '[]', 500, 500, now(), now(), now())`,
    `insert into invoice_payments (id, invoice_id, amount, received_at, provider, recorded_at)
     values ('${PAYMENT}', '${INVOICE}', 500, now(), 'host', now())`,
  ],
  after: async (pool) => {
    const { rows } = await pool.query('select count(*)::int as refunds from refunds')
    expect(rows).toEqual([{ refunds: 0 }])
  },
  works: async (lodge) => {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/billing/invoices')
    expect(items.find(({ id }) => id === INVOICE)).toMatchObject({
      ...{ refundable: 500, amountRefunded: 0, refunds: [] },
      payments: [{ id: PAYMENT, provider: 'host', refundable: 0 }],
    })
  },
}
