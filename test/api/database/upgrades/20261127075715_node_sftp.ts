import { expect } from 'vitest'
import type { Upgrade } from './upgrade.ts'

/** SFTP of every node goes through the control plane, as before. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select distinct sftp_port as port, sftp as report from nodes',
    )
    expect(rows).toEqual([{ port: null, report: null }])
  },
}
