import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables: nobody has declared a node dead yet. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    for (const table of ['failover_runs', 'failover_servers', 'superseded_copies']) {
      const { rows } = await pool.query(`select from ${table}`)
      expect(rows).toEqual([])
    }
  },
}
