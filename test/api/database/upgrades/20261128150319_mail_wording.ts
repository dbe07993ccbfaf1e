import { expect } from 'vitest'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

/** Earlier custom wording is compared with the built-in one of the version that finds it. */
export const upgrade: Upgrade = {
  before: [
    `insert into email_templates (id, subject, body) values ('limit_warning', 'Of the host', 'Nearly full')`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      `select built_in_subject, built_in_body from email_templates where id = 'limit_warning'`,
    )
    expect(rows).toEqual([{ built_in_subject: null, built_in_body: null }])
  },
  async works(lodge) {
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/email/templates')
    const template = items.find(({ id }) => id === 'limit_warning')
    expect(template).toMatchObject({ subject: 'Of the host', body: 'Nearly full', edited: true })
    const { rows } = await lodge.database.pool.query(
      `select built_in_subject as subject, built_in_body as body from email_templates where id = 'limit_warning'`,
    )
    expect(rows).toEqual([template?.builtIn])
  },
}
