import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Ways to the files of servers for programs. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select count(*)::int as count from ssh_keys')
    expect(rows).toEqual([{ count: 0 }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const params = { id: KNOWN.server }
    const { password } = await admin.must('POST /api/servers/{id}/sftp/password', { params })
    expect(password).toHaveLength(24)
  },
}
