import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Indexes alone: every ticket and message stays as it is. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      "select count(*)::int as count from pg_indexes where indexname like 'support_tickets_subject%'",
    )
    expect(rows).toEqual([{ count: 2 }])
  },
}
