import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Adds administrators who view the panel as a customer does, through existing sessions. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as count from viewings')
    expect(rows).toEqual([{ count: 0 }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    expect(await admin.must('GET /api/auth/me')).toMatchObject({ id: KNOWN.admin })
  },
}
