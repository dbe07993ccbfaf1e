import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { ADMIN_COOKIE, KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const digest = createHash('sha256').update(PICTURE).digest('hex').slice(0, 16)
const address = `/api/templates/${KNOWN.template}/icon/${digest}`

/** Gives templates the address of their icon, and a position before the others. */
export const upgrade: Upgrade = {
  before: [
    `update templates set document = jsonb_set(document, '{icon}', '"${PICTURE}"')
     where id = '${KNOWN.template}'`,
  ],
  async after(pool) {
    const { rows } = await pool.query(`select icon, featured from templates where id = $1`, [
      KNOWN.template,
    ])
    expect(rows).toEqual([{ icon: address, featured: false }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const shown = await admin.must('GET /api/templates/{id}', { params: { id: KNOWN.template } })
    expect(shown.icon).toBe(address)
  },
}
