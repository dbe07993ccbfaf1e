import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Why a node was cordoned before is not known. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select distinct cordoned_because as because, cordoned_at as at from nodes',
    )
    expect(rows).toEqual([{ because: null, at: null }])
  },
}
