import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Nodes run some schedules offline; none of the earlier runs was theirs. */
export const upgrade: Upgrade = {
  before: [
    `insert into schedules (id, server_id, cron, timezone, anchored_at, tasks, missed, enabled)
     values ('0198c0de-0000-7000-8000-00000000a10e', '${KNOWN.server}', '45 5 * * *', 'UTC', now(),
       '[{"action": "command", "command": "save", "conditions": [], "otherwise": "skip",
          "continueOnFailure": false}]', 'skip', false),
     ('0198c0de-0000-7000-8000-00000000bac0', '${KNOWN.server}', '50 5 * * *', 'UTC', now(),
       '[{"action": "backup", "conditions": [], "otherwise": "skip", "continueOnFailure": false}]',
       'skip', false)`,
    `insert into schedule_runs (id, schedule_id, state, started_at, ended_at, results)
     values (uuidv7(), '0198c0de-0000-7000-8000-00000000a10e', 'done', now(), now(), '[]')`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select cron, alone from schedules where cron in ('45 5 * * *', '50 5 * * *') order by cron`,
    )
    expect(rows).toEqual([
      { cron: '45 5 * * *', alone: true },
      { cron: '50 5 * * *', alone: false },
    ])
    const { rows: runs } = await pool.query('select distinct by_node from schedule_runs')
    expect(runs).toEqual([{ by_node: false }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const params = { id: KNOWN.server }
    const { items } = await admin.must('GET /api/servers/{id}/schedules', { params })
    const found = items.find(({ cron }) => cron === '45 5 * * *')
    expect(found?.lastRun).toMatchObject({ byNode: false })
  },
}
