import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const INVOICE = '0b110000-0000-7000-8000-0000000000c1'

/** Nobody's renewals are charged automatically, and open invoices wait for their customers. */
export const upgrade: Upgrade = {
  before: [
    `insert into invoices (id, number, plan_name, buyer, kind, status, currency, lines, total, issued_at, due_at)
     values ('${INVOICE}', 'OLD-2026-000077', 'Plan', '{"email": "a@example.com", "name": "Ada"}', 'renewal',
       'open', 'EUR', '[]', 500, now(), now())`,
  ],
  async after(pool) {
    expect((await pool.query('select from provider_customers')).rows).toEqual([])
    expect((await pool.query('select from invoice_charges')).rows).toEqual([])
  },
  works: async (lodge) => {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/billing/invoices')
    expect(items.find(({ id }) => id === INVOICE)).toMatchObject({ amountDue: 500, charge: null })
  },
}
