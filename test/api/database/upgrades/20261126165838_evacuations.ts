import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables: no node is being emptied. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select from evacuations')
    expect(rows).toEqual([])
  },
}
