import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables, and the tier of everybody. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select name, is_default from support_tiers')
    expect(rows).toEqual([{ name: 'Standard', is_default: true }])
    const others = await pool.query(
      'select from support_watches union all select from support_tier_plans',
    )
    expect(others.rows).toEqual([])
  },
}
