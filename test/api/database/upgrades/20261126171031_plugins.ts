import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables: no plugin is installed automatically. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select from plugins')
    expect(rows).toEqual([])
  },
}
