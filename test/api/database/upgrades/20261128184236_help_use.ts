import { expect } from 'vitest'
import { articleOf } from '../../../support/article.ts'
import type { Upgrade } from './upgrade.ts'

/** The use of the help center is counted from then on. */
export const upgrade: Upgrade = {
  before: [],
  after: async (pool) => {
    const { rows } = await pool.query('select from support_article_reads')
    expect(rows).toEqual([])
  },
  async works(lodge) {
    const slug = await articleOf(lodge)
    await lodge.anonymous().must('POST /api/support/public/{slug}/read', { params: { slug } })
    const { rows } = await lodge.database.pool.query('select reads from support_article_reads')
    expect(rows).toEqual([{ reads: 1 }])
  },
}
