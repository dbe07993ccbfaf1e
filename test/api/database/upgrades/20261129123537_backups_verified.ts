import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

const BACKUP = '7b8a4f0a-1b7e-4c7d-9a51-0d5c1a7f1a29'

/** Nobody has read earlier backups back, so they are neither verified nor damaged. */
export const upgrade: Upgrade = {
  before: [
    `insert into server_backups (id, repository_id, name, state, reserved_mb, snapshot_id, size_bytes)
     select '${BACKUP}', id, 'Unread', 'good', 0, '0123456789abcdef', 5 from backup_repositories
     where id = '7b8a4f0a-1b7e-4c7d-9a51-0d5c1a7f1a03'`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      'select verified_at, damaged_at, damage from server_backups where id = $1',
      [BACKUP],
    )
    expect(rows).toEqual([{ verified_at: null, damaged_at: null, damage: null }])
  },
}
