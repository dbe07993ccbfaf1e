import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** A copy from before is due immediately, with no attempts so far. */
export const upgrade: Upgrade = {
  before: [
    `insert into superseded_copies (server_id, node_id, server_name, placement_generation, partial)
      select '0c0ffee0-0000-4000-8000-000000000001', id, 'Left before', 3, true
      from nodes order by id limit 1`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select tries, tried_at as "triedAt", failure, try_at <= now() as due
       from superseded_copies where server_name = 'Left before'`,
    )
    expect(rows).toEqual([{ tries: 0, triedAt: null, failure: null, due: true }])
  },
}
