import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Disputes from before have a refund each. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int from disputes_without_refund')
    expect(rows).toEqual([{ count: 0 }])
  },
}
