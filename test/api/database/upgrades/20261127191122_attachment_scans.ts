import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** No file waits for a scanner while the table is new: existing files stay as they are. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as scans from attachment_scans')
    expect(rows).toEqual([{ scans: 0 }])
  },
}
