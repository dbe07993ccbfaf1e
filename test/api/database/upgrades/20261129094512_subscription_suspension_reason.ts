import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** No host suspended a subscription by itself before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select from subscriptions where suspension_reason is not null',
    )
    expect(rows).toEqual([])
  },
}
