import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** Pages on which somebody pays are remembered from now on; those from before are not known. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    expect((await pool.query('select from provider_pages')).rows).toEqual([])
  },
}
