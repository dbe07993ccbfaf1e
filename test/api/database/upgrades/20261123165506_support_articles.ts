import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables, and the extension that finds words which are misspelt. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select from support_articles')
    expect(rows).toEqual([])
  },
}
