import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Indexes servers by name, in any case of letters. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      `select indisvalid from pg_index where indexrelid = 'servers_name'::regclass`,
    )
    expect(rows).toEqual([{ indisvalid: true }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/servers', { query: { sort: 'name' } })
    expect(items.map(({ id }) => id)).toContain(KNOWN.server)
  },
}
