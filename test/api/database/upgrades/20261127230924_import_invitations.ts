import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Customers imported before are not invited by the migration. */
export const upgrade: Upgrade = {
  before: [
    `insert into imported_records (origin, kind, source_id, target_id, imported_at)
     values ('whmcs', 'customer', '1', uuidv7(), now())`,
  ],
  async after(pool) {
    const { rows } = await pool.query('select source_id, invitation from imported_records')
    expect(rows).toEqual([{ source_id: '1', invitation: null }])
  },
}
