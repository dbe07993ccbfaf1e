import { expect } from 'vitest'
import { reportLinkOf } from '../../support/report-link.ts'
import type { Upgrade } from './upgrade.ts'

/** Reports that were sent before have no link; those sent from then on do. */
export const upgrade: Upgrade = {
  before: [],
  after: async (pool) => {
    const { rows } = await pool.query('select from support_report_links')
    expect(rows).toEqual([])
  },
  async works(lodge) {
    const token = await reportLinkOf(lodge)
    const { status } = await lodge.anonymous().must('POST /api/support/abuse/status', {
      body: { token },
    })
    expect(status).toBe('received')
  },
}
