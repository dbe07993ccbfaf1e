import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Of mails that came before nobody knows who vouched for them. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select from support_messages where sender_check is not null or held_because is not null',
    )
    expect(rows).toEqual([])
  },
}
