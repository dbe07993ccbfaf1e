import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const INVOICE = '0b110000-0000-7000-8000-00000000000b'

/** Earlier invoices have no sender, and are printed with the name of the panel. */
export const upgrade: Upgrade = {
  before: [
    `insert into invoices (id, number, plan_name, buyer, kind, status, currency, lines, total, issued_at, due_at)
     values ('${INVOICE}', 'OLD-2026-000001', 'Plan', '{"email": "a@example.com", "name": "Ada"}', 'first',
       'open', 'EUR', '[]', 500, now(), now() + interval '7 days')`,
  ],
  after: async (pool) => {
    const { rows } = await pool.query(`select sender from invoices where id = '${INVOICE}'`)
    expect(rows).toEqual([{ sender: '' }])
  },
  works: async (lodge) => {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const url = `/api/billing/invoices/${INVOICE}/pdf`
    expect((await admin.send({ method: 'GET', url })).statusCode).toBe(200)
  },
}
