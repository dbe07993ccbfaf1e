import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** New tables without rows: the desk does nothing automatically without a rule. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      `select id from support_rules union all select rule_id from support_rule_idles
       union all select id from support_rule_runs`,
    )
    expect(rows).toEqual([])
  },
}
