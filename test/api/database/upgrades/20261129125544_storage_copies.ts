import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** No server has changed its storage in place before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as copies from storage_copies')
    expect(rows).toEqual([{ copies: 0 }])
  },
}
