import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Nobody has ended their connections yet. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as ended from sftp_endings')
    expect(rows).toEqual([{ ended: 0 }])
  },
}
