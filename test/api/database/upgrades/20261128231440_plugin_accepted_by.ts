import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** API permissions of plugins installed before have no accepting person. */
export const upgrade: Upgrade = {
  before: [],
  after: async (pool) => {
    const { rows } = await pool.query('select from plugins where accepted_by is not null')
    expect(rows).toEqual([])
  },
}
