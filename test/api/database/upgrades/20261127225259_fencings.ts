import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** No node was waiting to be switched off before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    expect((await pool.query('select from fencings')).rows).toEqual([])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const shown = await admin.must('GET /api/nodes/{id}/failover', { params: { id: KNOWN.node } })
    expect(shown).toMatchObject({ stonith: 0, fencing: null })
  },
}
