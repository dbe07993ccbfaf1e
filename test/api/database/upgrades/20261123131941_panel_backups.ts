import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** A new table: no existing data changes. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select from panel_backups')
    expect(rows).toEqual([])
  },
}
