import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Nothing is being uploaded while the table is new. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as arriving from attachment_arrivals')
    expect(rows).toEqual([{ arriving: 0 }])
  },
}
