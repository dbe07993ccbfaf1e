import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Operators are told once more of what cannot be brought back at the time of the upgrade. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select epoch from failover_blocked')
    expect(rows).toEqual([])
  },
}
