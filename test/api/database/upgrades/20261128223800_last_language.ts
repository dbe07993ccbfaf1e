import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Of nobody it is known in which language they signed in before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query<{ last_language: string | null }>(
      'select last_language from users',
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toEqual({ last_language: null })
  },
}
