import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Earlier plans are still assigned by the host only, and have no price. */
export const upgrade: Upgrade = {
  before: [
    `insert into plans (id, name, kind, limits) values
       ('0b110000-0000-7000-8000-000000000001', 'Before prices', 'account', '{"maxServers": 2}')`,
  ],
  after: async (pool) => {
    const { rows } = await pool.query(
      `select features, preset, stock, per_customer_max, visibility, active
       from plans where name = 'Before prices'`,
    )
    expect(rows).toEqual([
      {
        ...{ features: [], preset: null, stock: null, per_customer_max: null },
        ...{ visibility: 'hidden', active: true },
      },
    ])
  },
  works: async (lodge) => {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/plans')
    const { id } = items.find(({ name }) => name === 'Before prices') ?? { id: '' }
    const { prices } = await admin.must('PUT /api/plans/{id}/prices', {
      params: { id },
      body: { prices: [{ cycle: 'monthly', amount: 500, currency: 'EUR' }] },
    })
    expect(prices).toHaveLength(1)
  },
}
