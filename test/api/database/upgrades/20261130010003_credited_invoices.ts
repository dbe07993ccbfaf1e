import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** What changes of plan gave back before is not known. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select distinct amount_credited from invoices')
    expect(rows).toEqual([{ amount_credited: 0 }])
  },
}
