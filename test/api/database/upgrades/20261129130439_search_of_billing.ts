import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Invoices from before are searched by their number and buyer. */
export const upgrade: Upgrade = {
  before: [
    `insert into invoices (id, number, plan_name, buyer, kind, status, currency, lines, total, issued_at, due_at)
     values ('0b140000-0000-7000-8000-00000000000a', 'P-3', 'P', '{"email": "searched@example.com", "name": ""}', 'first', 'open', 'EUR', '[]', 1, now(), now())`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select id from invoices where (number || ' ' || coalesce(buyer ->> 'email', '') || ' ' || coalesce(buyer ->> 'name', ''))
         ilike '%SEARCHED@%'`,
    )
    expect(rows).toEqual([{ id: '0b140000-0000-7000-8000-00000000000a' }])
  },
}
