import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Taxes quoted before stay valid, and their invoices are not recorded with a provider. */
export const upgrade: Upgrade = {
  before: [
    `insert into tax_quotes (fingerprint, taxes, expires_at) values ('known', '[]', '2100-01-01')`,
  ],
  async after(pool) {
    const { rows } = await pool.query('select ref from tax_quotes')
    expect(rows).toEqual([{ ref: null }])
    expect((await pool.query('select from tax_records')).rows).toEqual([])
  },
}
