import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

const OWED = `step like 'last_backup_owed %'`

/** Steps from before stay, and those that owe a last backup are found by an index. */
export const upgrade: Upgrade = {
  before: [
    `insert into billing_steps (subscription_id, step, since, done_at)
     select id, 'last_backup_owed ' || id, now(), now() from subscriptions limit 1`,
  ],
  async after(pool) {
    const client = await pool.connect()
    try {
      await client.query('begin; set local enable_seqscan = off')
      const { rows } = await client.query(
        `explain select from billing_steps where ${OWED} order by done_at limit 20`,
      )
      expect(JSON.stringify(rows)).toContain('billing_steps_owed_backups')
      const { rowCount } = await client.query(`select from billing_steps where ${OWED}`)
      expect(rowCount).toBe(1)
    } finally {
      await client.query('rollback')
      client.release()
    }
  },
}
