import { expect, test } from 'vitest'
import { startLodge } from '../../support/stack.ts'

test('a mail that is only turned off has no custom wording, even if a later version changes the built-in one', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const template = 'limit_warning'
  const shown = async () => {
    const { items } = await admin.must('GET /api/email/templates')
    return items.find(({ id }) => id === template)
  }
  const subject = async () => {
    const given = { params: { template }, body: {} }
    return (await admin.must('POST /api/email/templates/{template}/preview', given)).subject
  }
  const savedAs = (subject: string, builtInSubject: string | null) =>
    lodge.database.pool.query(
      'update email_templates set subject = $2, built_in_subject = $3 where id = $1',
      [template, subject, builtInSubject],
    )
  const builtIn = (await shown())?.builtIn
  if (!builtIn) throw new Error('no such mail')
  const off = { ...builtIn, enabled: false, edited: false }
  const saved = await admin.must('PUT /api/email/templates/{template}', {
    params: { template },
    body: { ...builtIn, enabled: false },
  })
  expect(saved).toMatchObject(off)

  await savedAs('What an earlier version said', 'What an earlier version said')
  expect(await shown()).toMatchObject(off)
  expect(await subject()).not.toContain('earlier')

  // Rows of versions that did not record the built-in wording.
  await savedAs(builtIn.subject, null)
  expect(await shown()).toMatchObject(off)
  await savedAs('Of the host', null)
  expect(await shown()).toMatchObject({ subject: 'Of the host', enabled: false, edited: true })
  expect(await subject()).toBe('Of the host')
})
