import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Earlier subscribers keep receiving mails in English. */
export const upgrade: Upgrade = {
  before: [
    `insert into status_subscribers (id, address, asked_at, confirmed_at)
      values (gen_random_uuid(), 'before-languages@example.com', now(), now())`,
    `insert into status_requests (id, address)
      values (gen_random_uuid(), 'asked-before-languages@example.com')`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select language from status_subscribers where address = 'before-languages@example.com'
       union all
       select language from status_requests where address = 'asked-before-languages@example.com'`,
    )
    expect(rows).toEqual([{ language: null }, { language: null }])
  },
}
