import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** The language of earlier sign-ins is unknown. */
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
