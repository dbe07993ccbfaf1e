import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select from support_tickets union all select from support_messages',
    )
    expect(rows).toEqual([])
  },
}
