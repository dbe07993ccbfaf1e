import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Nothing came from another panel while the table is new. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as records from imported_records')
    expect(rows).toEqual([{ records: 0 }])
  },
}
