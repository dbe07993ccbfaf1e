import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Whether a copy is out of reach is seen at the next look. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select distinct out_of_reach_since from storage_copies')
    expect(rows).toEqual([{ out_of_reach_since: null }])
  },
}
