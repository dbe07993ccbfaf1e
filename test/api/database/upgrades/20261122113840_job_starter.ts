import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Indexes jobs by who started them. */
export const upgrade: Upgrade = {
  before: [
    `insert into jobs (id, kind, title, state, started_by, input, steps)
     select uuidv7(), 'server.power', 'Started by the host', 'done', null, '{}', '[]'`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select indisvalid from pg_index where indexrelid = 'jobs_starter'::regclass`,
    )
    expect(rows).toEqual([{ indisvalid: true }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/jobs')
    expect(items.map(({ id }) => id)).toContain(KNOWN.job)
  },
}
