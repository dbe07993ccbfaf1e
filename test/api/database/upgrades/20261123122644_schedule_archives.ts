import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Schedules know the archives that they made. */
export const upgrade: Upgrade = {
  before: [
    `insert into schedules (id, server_id, cron, timezone, anchored_at, tasks, missed, enabled)
     values (uuidv7(), '${KNOWN.server}', '15 4 * * *', 'UTC', now(),
       '[{"action": "archiveFiles", "paths": ["/world"], "to": "/archives", "format": "zip",
          "conditions": [], "otherwise": "skip", "continueOnFailure": false}]', 'skip', false)`,
  ],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as count from schedule_archives')
    expect(rows).toEqual([{ count: 0 }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const params = { id: KNOWN.server }
    const { items } = await admin.must('GET /api/servers/{id}/schedules', { params })
    const found = items.find(({ cron }) => cron === '15 4 * * *')
    expect(found?.tasks).toMatchObject([{ action: 'archiveFiles', paths: ['/world'] }])
  },
}
