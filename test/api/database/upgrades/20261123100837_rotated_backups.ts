import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Backups made before never give way to newer ones by themselves. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select 1 from server_backups where rotated')
    expect(rows).toEqual([])
  },
}
