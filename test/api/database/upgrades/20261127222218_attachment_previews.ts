import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** A periodic task finds existing images later. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as previews from attachment_previews')
    expect(rows).toEqual([{ previews: 0 }])
  },
}
