import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Adds what agents report of their machines, and notes about customers. */
export const upgrade: Upgrade = {
  before: [],
  async after(pool) {
    const { rows } = await pool.query(
      'select followed, detected_memory_mb, hardware from nodes where id = $1',
      [KNOWN.node],
    )
    // Every earlier capacity was entered by an operator, so none changes automatically.
    expect(rows).toEqual([{ followed: [], detected_memory_mb: null, hardware: null }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const node = await admin.must('GET /api/nodes/{id}', { params: { id: KNOWN.node } })
    expect(node).toMatchObject({ memoryMb: 65_536, followed: [], detected: null })
    const note = await admin.must('POST /api/customers/{id}/notes', {
      params: { id: KNOWN.customer },
      body: { content: 'Pays by invoice' },
    })
    expect(note.author?.id).toBe(KNOWN.admin)
  },
}
