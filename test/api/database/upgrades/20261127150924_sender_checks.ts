import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** The authentication of earlier mails is unknown. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select from support_messages where sender_check is not null or held_because is not null',
    )
    expect(rows).toEqual([])
  },
}
