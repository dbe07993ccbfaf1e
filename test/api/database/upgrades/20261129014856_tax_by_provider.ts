import { expect } from 'vitest'
import { addressOf } from '../../../../control-plane/src/domains/billing/address-store.ts'
import type { Upgrade } from './upgrade.ts'

const CUSTOMER = '0b110000-0000-7000-8000-0000000000f7'

/** The tax jurisdiction of earlier addresses is unknown, and the addresses stay. */
export const upgrade: Upgrade = {
  before: [
    `insert into users (id, email, role, preferences) values ('${CUSTOMER}', 'taxed@example.com', 'customer', '{"mode":null}')`,
    `insert into billing_addresses (user_id, address) values ('${CUSTOMER}', 'Old Road 1')`,
  ],
  async after(pool) {
    expect((await pool.query('select from tax_waits')).rows).toEqual([])
  },
  works: async (lodge) => {
    const nothing = { country: '', postalCode: '', region: '', taxNumber: '' }
    expect(await addressOf(lodge.controlPlane.services.db, CUSTOMER)).toEqual({
      ...{ address: 'Old Road 1', ...nothing },
    })
  },
}
