import { expect } from 'vitest'
import { until } from '../../../support/until.ts'
import type { Upgrade } from './upgrade.ts'

/** Other indexes: every ticket and message stays as it is, and their words are indexed afterwards. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      "select indexname as name from pg_indexes where indexname like 'support_%_found' order by 1",
    )
    expect(rows).toEqual([{ name: 'support_messages_found' }, { name: 'support_tickets_found' }])
  },
  async works({ database }) {
    await until(async () => {
      const { rows } = await database.pool.query(
        `select from support_messages where id > coalesce((select read_to from support_words_progress),
           '00000000-0000-0000-0000-000000000000')`,
      )
      return rows.length === 0
    })
  },
}
