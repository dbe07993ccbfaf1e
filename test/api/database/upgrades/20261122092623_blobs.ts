import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Adds tables for large files; media stay where they are. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as count from blobs')
    expect(rows).toEqual([{ count: 0 }])
  },
}
