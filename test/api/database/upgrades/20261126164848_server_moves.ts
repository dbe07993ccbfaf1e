import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** A new table: no server is moving. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select from server_moves')
    expect(rows).toEqual([])
  },
}
