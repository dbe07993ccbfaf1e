import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Earlier imports cannot be told apart, so none is shown. */
export const upgrade: Upgrade = {
  before: [
    `insert into imported_records (origin, kind, source_id, target_id, imported_at)
     values ('paymenter', 'customer', '2', uuidv7(), now())`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select source_id, fingerprint from imported_records where origin = 'paymenter'`,
    )
    expect(rows).toEqual([{ source_id: '2', fingerprint: null }])
    expect((await pool.query('select from imports')).rows).toEqual([])
  },
}
