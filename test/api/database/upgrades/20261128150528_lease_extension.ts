import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** No leases were extended before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(`
      select count(*) filter (where lease_extended_ttl_ms is not null)::int as extended,
        count(*) filter (where lease_ttl_revision <> 0)::int as changed from nodes`)
    expect(rows).toEqual([{ extended: 0, changed: 0 }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    expect((await admin.must('GET /api/failover/status')).extension).toBeNull()
  },
}
