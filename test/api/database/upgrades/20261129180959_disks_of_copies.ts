import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** What a copy from before has is not known, which keeps no machine from taking it. */
export const upgrade: Upgrade = {
  before: [
    `insert into storage_copies (server_id, node_id, kind, placement_generation)
     select gen_random_uuid(), id, 'vm', 1 from nodes limit 1`,
  ],
  async after(pool) {
    const { rows } = await pool.query('select distinct disks from storage_copies')
    expect(rows).toEqual([{ disks: null }])
  },
}
