import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Servers get icons, tags and notes; people get folders and favourites. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(`select icon, tags from servers where id = '${KNOWN.server}'`)
    expect(rows).toEqual([{ icon: null, tags: [] }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const params = { id: KNOWN.server }
    await admin.must('PATCH /api/servers/{id}/labels', { params, body: { tags: ['old'] } })
    await admin.must('PUT /api/servers/{id}/mark', {
      params,
      body: { folder: 'Attic', favourite: true },
    })
    const { items } = await admin.must('GET /api/servers', {
      query: { filter: 'tag:old folder:Attic favourite:yes' },
    })
    expect(items.map(({ id }) => id)).toEqual([KNOWN.server])
  },
}
