import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Of parts of the balance that paid invoices before nobody knows which payment they came from. */
export const upgrade: Upgrade = {
  before: [
    `insert into invoices (id, number, plan_name, buyer, kind, status, currency, lines, total, amount_paid, issued_at, due_at)
     values ('0b130000-0000-7000-8000-00000000000a', 'P-2', 'P', '{"email": "a@example.com", "name": ""}', 'first', 'paid', 'EUR', '[]', 1, 1, now(), now())`,
    `insert into invoice_payments (id, invoice_id, amount, received_at, provider, recorded_at)
     values ('0b130000-0000-7000-8000-00000000000b', '0b130000-0000-7000-8000-00000000000a', 1, now(), 'balance', now())`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select sum_id from invoice_payments where id = '0b130000-0000-7000-8000-00000000000b'`,
    )
    expect(rows).toEqual([{ sum_id: null }])
  },
}
