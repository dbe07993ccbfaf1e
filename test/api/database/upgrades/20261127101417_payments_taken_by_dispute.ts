import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Amounts taken back before count as refunded. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select distinct taken_by_dispute::int as taken from invoice_payments',
    )
    expect(rows).toEqual([{ taken: 0 }])
  },
}
