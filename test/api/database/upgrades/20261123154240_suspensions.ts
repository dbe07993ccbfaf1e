import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables, and accounts that nothing restricts. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select from suspensions union all select from attachments')
    expect(rows).toEqual([])
    const { rows: restricted } = await pool.query('select from users where restriction is not null')
    expect(restricted).toEqual([])
  },
}
