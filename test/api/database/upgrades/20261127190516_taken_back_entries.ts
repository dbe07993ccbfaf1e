import { expect } from 'vitest'
import { reconcile } from '../../../../control-plane/src/domains/billing/reconcile.ts'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const id = (end: string) => `0be80000-0000-7000-8000-0000000000${end}`
const [INVOICE, PAYMENT] = [id('01'), id('02')]

/** Amounts taken back before are recorded automatically, at the time when the balance was reduced. */
export const upgrade: Upgrade = {
  before: [
    `insert into invoices (id, number, user_id, plan_name, buyer, kind, status, currency, lines, total, amount_paid, issued_at, due_at, paid_at)
     values ('${INVOICE}', 'OLD-2026-000004', '${KNOWN.customer}', 'Plan', '{"email": "a@example.com", "name": "Ada"}', 'first',
       'paid', 'CLP', '[]', 500, 500, '2026-02-01', '2026-02-01', '2026-02-01')`,
    `insert into invoice_payments (id, invoice_id, amount, received_at, provider, external_ref, recorded_at, taken_back, taken_by_dispute)
     values ('${PAYMENT}', '${INVOICE}', 2000, '2026-02-01', 'old', 'old-1', '2026-02-01', 700, 400)`,
    `insert into balance_entries (id, user_id, currency, amount, invoice_id, created_at) values
       (gen_random_uuid(), '${KNOWN.customer}', 'CLP', 1500, '${INVOICE}', '2026-02-01'),
       (gen_random_uuid(), '${KNOWN.customer}', 'CLP', -700, '${INVOICE}', '2026-03-10')`,
  ],
  after: async (pool) => {
    const { rows } = await pool.query('select count(*)::int as entries from taken_back_entries')
    expect(rows).toEqual([{ entries: 0 }])
  },
  works: async (lodge) => {
    await reconcile(lodge.controlPlane.services)
    const { rows } = await lodge.database.pool.query(
      `select dispute, amount::int, at::date::text as at from taken_back_entries
       where payment_id = '${PAYMENT}' order by amount`,
    )
    expect(rows).toEqual([
      { dispute: null, amount: 300, at: '2026-03-10' },
      { dispute: '', amount: 400, at: '2026-03-10' },
    ])
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { currencies } = await admin.must('GET /api/billing/revenue', {
      query: { from: '2026-02-01', to: '2026-03-31', currency: 'CLP' },
    })
    expect(currencies[0]?.periods.map(({ paid, refunded }) => [paid, refunded])).toEqual([
      [2000, 0],
      [0, 700],
    ])
  },
}
