import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
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
    const names = items.map(({ name }) => name.toLowerCase())
    expect(names.length).toBeGreaterThan(0)
    expect(names).toEqual(names.toSorted())
  },
}
