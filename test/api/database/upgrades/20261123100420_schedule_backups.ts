import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Schedules know the backups that they made. */
export const upgrade: Upgrade = {
  before: [
    `insert into schedules (id, server_id, cron, timezone, anchored_at, tasks, missed, enabled)
     values (uuidv7(), '${KNOWN.server}', '30 4 * * *', 'UTC', now(), '[]', 'skip', false)`,
  ],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as count from schedule_backups')
    expect(rows).toEqual([{ count: 0 }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const params = { id: KNOWN.server }
    const { options } = await admin.must('GET /api/servers/{id}/schedules', { params })
    expect(options.actions).toContainEqual({ action: 'backup', unavailable: null })
  },
}
