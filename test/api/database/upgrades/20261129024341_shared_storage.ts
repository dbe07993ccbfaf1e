import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/**
 * The files of servers are on the disks of their nodes, and were restored from backups, as before.
 */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows: servers } = await pool.query('select distinct storage_id as id from servers')
    expect(servers).toEqual([{ id: null }])
    const { rows: runs } = await pool.query(
      'select count(*)::int as count from failover_servers where storage is not null',
    )
    expect(runs).toEqual([{ count: 0 }])
  },
}
