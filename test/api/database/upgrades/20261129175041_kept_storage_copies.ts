import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** No server has left newer files for an older copy before, so every copy is deleted as before. */
export const upgrade: Upgrade = {
  before: [
    `insert into storage_copies (server_id, node_id, kind, placement_generation)
     select gen_random_uuid(), id, 'container', 1 from nodes limit 1`,
  ],
  async after(pool) {
    const { rows } = await pool.query('select kept_until, claimed_until from storage_copies')
    expect(rows).toEqual([{ kept_until: null, claimed_until: null }])
  },
}
