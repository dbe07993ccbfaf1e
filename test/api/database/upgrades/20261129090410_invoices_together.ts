import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** No invoices were asked for in one sum before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    expect((await pool.query('select from invoices_together')).rows).toEqual([])
  },
}
