import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** No notification that these columns record has been sent yet. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query<{ told_little_room: boolean }>(
      'select told_little_room from nodes',
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toEqual({ told_little_room: false })
    expect((await pool.query('select from told_announcements')).rows).toEqual([])
    expect((await pool.query('select from plugins where newest_version is not null')).rows).toEqual(
      [],
    )
  },
}
