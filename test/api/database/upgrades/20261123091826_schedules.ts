import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Servers get schedules; a saga may wait for another job. */
export const upgrade: Upgrade = {
  before: [
    `insert into jobs (id, kind, title, state, runs_as, input, steps)
     select uuidv7(), 'vm.gone', 'Queued before the schedules', 'waiting', 'saga', '{}', '[]'`,
    `insert into sagas (job_id, authority) select id, '{}' from jobs
     where title = 'Queued before the schedules'`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select s.parked_job from sagas s join jobs j on j.id = s.job_id
       where j.title = 'Queued before the schedules'`,
    )
    expect(rows).toEqual([{ parked_job: null }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const params = { id: KNOWN.server }
    const body = { cron: '30 4 * * *', tasks: [{ action: 'wait' as const, seconds: 1 }] }
    const { id } = await admin.must('POST /api/servers/{id}/schedules', { params, body })
    const { items } = await admin.must('GET /api/servers/{id}/schedules', { params })
    expect(items.find((one) => one.id === id)).toMatchObject({
      nextRunAt: expect.any(String),
      lastRun: null,
    })
  },
}
