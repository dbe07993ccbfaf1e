import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Transfers between nodes go through the control plane, as before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select distinct transfer_port as port, transfers from nodes')
    expect(rows).toEqual([{ port: null, transfers: null }])
  },
}
