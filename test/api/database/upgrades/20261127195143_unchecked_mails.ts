import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** No mail has been deferred while the table is new. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as mails from support_unchecked_mails')
    expect(rows).toEqual([{ mails: 0 }])
  },
}
