import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Of pages that were opened before nobody knows yet whether money is on its way. */
export const upgrade: Upgrade = {
  before: [
    `insert into invoices (id, number, plan_name, buyer, kind, status, currency, lines, total, issued_at, due_at)
     values ('0b120000-0000-7000-8000-00000000000a', 'P-1', 'P', '{"email": "a@example.com", "name": ""}', 'first', 'open', 'EUR', '[]', 1, now(), now())`,
    `insert into provider_pages (invoice_id, provider, ref, opened_at, next_at)
     values ('0b120000-0000-7000-8000-00000000000a', 'p', 'r', now(), now())`,
  ],
  async after(pool) {
    const { rows } = await pool.query('select processing from provider_pages')
    expect(rows).toEqual([{ processing: false }])
  },
}
