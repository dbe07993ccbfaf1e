import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Moves that have begun, and parts that nodes have to delete, take no files of a storage along, as before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      `select (select count(*)::int from server_moves where files_on is not null) as moves,
        (select count(*)::int from superseded_copies where files_on is not null) as copies`,
    )
    expect(rows).toEqual([{ moves: 0, copies: 0 }])
  },
}
