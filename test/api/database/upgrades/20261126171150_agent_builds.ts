import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/**
 * Earlier nodes have no known agent build, and none of them counts as outdated until one is reported.
 */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query<{ agent_build: string | null; agent_outdated: boolean }>(
      'select agent_build, agent_outdated from nodes',
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toEqual({ agent_build: null, agent_outdated: false })
  },
}
