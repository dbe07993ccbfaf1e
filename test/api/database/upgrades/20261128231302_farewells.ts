import { expect } from 'vitest'
import { claimProviderDeletion } from '../../../../control-plane/src/domains/billing/charges/provider-deletion-store.ts'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const CUSTOMER = '0b110000-0000-7000-8000-0000000000f1'

/** A payment method that was saved before is deleted with the account of its customer. */
export const upgrade: Upgrade = {
  before: [
    `insert into users (id, email, role, preferences) values ('${CUSTOMER}', 'farewell@example.com', 'customer', '{"mode":null}')`,
    `insert into provider_customers (user_id, provider, ref) values ('${CUSTOMER}', 'pay-old', 'cus_old')`,
  ],
  async after(pool) {
    expect((await pool.query('select from provider_farewells')).rows).toEqual([])
  },
  works: async (lodge) => {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    await lodge.database.pool.query('update sessions set proved_at = now()')
    await admin.must('DELETE /api/customers/{id}', { params: { id: CUSTOMER } })
    const { services } = lodge.controlPlane
    const named = { provider: 'pay-old', ref: 'cus_old' }
    const [at, until] = [new Date(Date.now() + 86_400_000), new Date(Date.now() + 90_000_000)]
    expect(await claimProviderDeletion(services.db, at, named, until)).toMatchObject(named)
  },
}
