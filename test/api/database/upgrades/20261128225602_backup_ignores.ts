import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

const BACKUP = '7b8a4f0a-1b7e-4c7d-9a51-0d5c1a7f1a28'

/** Earlier backups exclude nothing, and no server has exclusions. */
export const upgrade: Upgrade = {
  before: [
    `insert into server_backups (id, repository_id, name, state, reserved_mb)
     select '${BACKUP}', id, 'Before', 'failed', 0 from backup_repositories
     where id = '7b8a4f0a-1b7e-4c7d-9a51-0d5c1a7f1a03'`,
  ],
  async after(pool) {
    const { rows } = await pool.query('select ignored from server_backups where id = $1', [BACKUP])
    expect(rows).toEqual([{ ignored: [] }])
    expect((await pool.query('select from server_backup_ignores')).rows).toEqual([])
  },
}
