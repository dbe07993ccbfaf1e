import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

const ORDER = '0b110000-0000-7000-8000-00000000000e'

/** Earlier orders are for containers and reserve nothing for an upgrade. */
export const upgrade: Upgrade = {
  before: [
    `insert into server_orders (id, name, template_id, preset, state)
     values ('${ORDER}', 'Old', '${ORDER}', '{"templateIds": ["${ORDER}"], "memoryMb": 64, "cpuPercent": 10, "diskMb": 64, "locations": "any"}', 'released')`,
  ],
  after: async (pool) => {
    const { rows } = await pool.query(
      `select machine, growth, growth_node_id from server_orders where id = '${ORDER}'`,
    )
    expect(rows).toEqual([{ machine: null, growth: null, growth_node_id: null }])
  },
  works: async (lodge) => {
    expect((await lodge.anonymous().must('GET /api/store')).items).toBeInstanceOf(Array)
  },
}
