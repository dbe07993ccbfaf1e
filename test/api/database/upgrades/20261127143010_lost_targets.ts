import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Copies so far were whole ones of containers, and no job was broken off. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      `select count(*)::int as other from superseded_copies where kind <> 'container' or partial`,
    )
    expect(rows).toEqual([{ other: 0 }])
    const sagas = await pool.query(
      'select count(*)::int as off from sagas where broken_off is not null',
    )
    expect(sagas.rows).toEqual([{ off: 0 }])
  },
}
