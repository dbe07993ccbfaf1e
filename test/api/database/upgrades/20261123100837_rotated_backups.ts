import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Backups made before are never rotated out automatically. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select 1 from server_backups where rotated')
    expect(rows).toEqual([])
  },
}
