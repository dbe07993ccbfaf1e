import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Nothing fails over automatically before somebody enables it. */
export const upgrade: Upgrade = {
  before: [],
  after: async (pool) => {
    const { rows } = await pool.query(
      `select distinct failover_mode, failover_mode_since, fenced_at from nodes`,
    )
    expect(rows).toEqual([{ failover_mode: 'pinned', failover_mode_since: null, fenced_at: null }])
  },
  works: async (lodge) => {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/nodes')
    for (const { id } of items)
      expect(await admin.must('GET /api/nodes/{id}/failover', { params: { id } })).toMatchObject({
        ...{ mode: 'pinned', since: null, auto: 0, guarded: 0 },
        whyNotAuto: expect.stringContaining('no guard'),
      })
  },
}
