import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** No rollback of the database was detected before, so every node counts as compared. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(`
      select (select count(*)::int from server_findings) as findings,
        (select count(*)::int from database_lineage) as lineages,
        (select count(*)::int from nodes where compared_set_back <> 0) as suspected`)
    expect(rows).toEqual([{ findings: 0, lineages: 0, suspected: 0 }])
  },
}
