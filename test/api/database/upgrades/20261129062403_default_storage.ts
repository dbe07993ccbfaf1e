import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New servers store their files on the disks of their nodes, as before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select distinct default_storage_id as id from nodes')
    expect(rows).toEqual([{ id: null }])
  },
}
