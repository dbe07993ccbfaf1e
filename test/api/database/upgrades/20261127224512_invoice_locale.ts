import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Invoices issued before are still printed in English. */
export const upgrade: Upgrade = {
  before: [
    `insert into invoices (id, number, plan_name, buyer, kind, status, currency, lines, total, issued_at, due_at)
      values ('0c0ffee0-0000-4000-8000-0000000000f5', 'INV-2026-000900', 'Before locales',
        '{"email": "before-locales@example.com", "name": ""}', 'first', 'open', 'EUR',
        '[{"kind": "setup", "description": "Setup", "amount": 500, "periodStart": null, "periodEnd": null}]',
        500, now(), now())`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select locale from invoices where plan_name = 'Before locales'`,
    )
    expect(rows).toEqual([{ locale: null }])
  },
}
