import { expect } from 'vitest'
import { limitWarning } from '../../../../control-plane/src/domains/limits/mails.ts'
import { until } from '../../../support/until.ts'
import { ADMIN_COOKIE } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
// As a host stored it that only turned the mail off.
const { subject, body } = limitWarning

/** What a host stored of a mail stays; what is the built-in wording is forgotten by a task. */
export const upgrade: Upgrade = {
  before: [
    `insert into email_templates (id, subject, body, html, enabled) values
       ('limit_warning', ${quoted(subject)}, ${quoted(body)}, null, false),
       ('limit_exceeded', ${quoted(subject)}, 'Own words', null, true)`,
  ],
  async after(pool) {
    const { rows } = await pool.query(
      "select subject, body, enabled from email_templates where id like 'limit_%' order by id",
    )
    expect(rows).toEqual([
      { subject, body: 'Own words', enabled: true },
      { subject, body, enabled: false },
    ])
  },
  async works(lodge) {
    await until(async () => {
      const { rows } = await lodge.database.pool.query(
        "select from email_templates where id = 'limit_warning' and subject is null and body is null",
      )
      return rows.length === 1
    })
    const admin = lodge.anonymous({ cookie: ADMIN_COOKIE })
    const { items } = await admin.must('GET /api/email/templates')
    expect(items.filter(({ id }) => id.startsWith('limit_'))).toMatchObject([
      { id: 'limit_warning', subject, body, enabled: false, edited: false },
      { id: 'limit_exceeded', body: 'Own words', enabled: true, edited: true },
    ])
  },
}
