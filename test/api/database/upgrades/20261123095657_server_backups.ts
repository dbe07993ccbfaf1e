import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Adds backups; nothing that exists changes. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as count from server_backups')
    expect(rows).toEqual([{ count: 0 }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const settings = await admin.must('GET /api/settings/backups')
    expect(settings).toEqual({
      place: 'node',
      downloads: true,
      keepScheduled: 7,
      storageNodeIds: [],
      protection: null,
      verify: 'monthly',
      s3: null,
    })
  },
}
