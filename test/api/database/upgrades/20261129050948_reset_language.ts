import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

const REQUEST = '0b120000-0000-7000-8000-0000000000f8'

/** The language of an earlier request is unknown, and the request stays. */
export const upgrade: Upgrade = {
  before: [
    `insert into reset_requests (id, email) values ('${REQUEST}', 'nobody-asks@example.com')`,
  ],
  async after(pool) {
    const { rows } = await pool.query('select email, language from reset_requests where id = $1', [
      REQUEST,
    ])
    expect(rows).toEqual([{ email: 'nobody-asks@example.com', language: null }])
  },
}
