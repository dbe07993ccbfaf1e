import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables, all empty: there is no status page until somebody switches it on. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      `select id from status_components union all select id from status_incidents
       union all select id from status_subscribers`,
    )
    expect(rows).toEqual([])
  },
}
