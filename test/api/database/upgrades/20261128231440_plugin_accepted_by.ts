import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Nobody accepted permissions of the API for plugins that were installed before. */
export const upgrade: Upgrade = {
  before: [],
  after: async (pool) => {
    const { rows } = await pool.query('select from plugins where accepted_by is not null')
    expect(rows).toEqual([])
  },
}
