import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** The cause of an earlier cordon is unknown. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select distinct cordoned_because as because, cordoned_at as at from nodes',
    )
    expect(rows).toEqual([{ because: null, at: null }])
  },
}
