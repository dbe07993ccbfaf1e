import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Which ports were removed before is not known. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query('select distinct held_ports, held_ports_until from servers')
    expect(rows).toEqual([{ held_ports: [], held_ports_until: 0 }])
  },
}
