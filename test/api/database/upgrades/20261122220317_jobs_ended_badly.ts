import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Indexes the jobs that failed, were cancelled or were superseded. */
export const upgrade: Upgrade = {
  before: [
    `insert into jobs (id, kind, title, state, input, steps, ended_at)
     select uuidv7(), 'server.power', 'Failed before the upgrade', 'failed', '{}', '[]', now()`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select indisvalid from pg_index where indexrelid = 'jobs_ended_badly'::regclass`,
    )
    expect(rows).toEqual([{ indisvalid: true }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/jobs', { query: { state: 'failed' } })
    expect(items.map(({ title }) => title)).toContain('Failed before the upgrade')
  },
}
