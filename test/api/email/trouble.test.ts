import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { tellTrouble } from '../../../control-plane/src/domains/email/trouble.ts'
import { SmtpSink } from '../../support/smtp-sink.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let sink: SmtpSink
beforeAll(async () => {
  lodge = await startLodge()
  sink = await new SmtpSink().listen()
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await sink[Symbol.asyncDispose]()
})

const settings = async (change: object = {}) =>
  (await lodge.admin()).must('PUT /api/settings/mail', { body: { ...sink.settings, ...change } })
async function mail(): Promise<string> {
  await lodge.database.pool.query('truncate rate_limits')
  const { messageId } = await (await lodge.admin()).must(
    'POST /api/email/templates/{template}/test',
    { params: { template: 'test' } },
  )
  return messageId
}
const hurry = (id: string) =>
  lodge.database.pool.query('update email_messages set next_attempt_at = now() where id = $1', [id])
const row = async (id: string) =>
  (await lodge.database.pool.query('select * from email_messages where id = $1', [id])).rows[0]

test('a mail server that keeps refusing mail is reported once, until it accepts mail again', async () => {
  const { pool } = lodge.database
  const admin = await lodge.admin()
  const told = async () =>
    (await admin.must('GET /api/notifications', { query: {} })).items.filter(
      ({ type }) => type === 'email.failing',
    )
  const attention = async () =>
    (await admin.must('GET /api/overview')).attention.filter(({ kind }) => kind === 'mail_failing')
  const ctx = contextFor(lodge.controlPlane.services, { kind: 'system' } as const)
  await settings()
  await mail()
  await settings({ port: 1 })
  const id = await mail()
  await until(async () => (await row(id)).last_error !== null)
  expect([await tellTrouble(ctx), await attention()]).toEqual([false, []])
  await pool.query('update email_messages set attempts = 3 where id = $1', [id])
  expect(await attention()).toMatchObject([{ severity: 'critical', href: '/admin/settings/mail' }])
  const both = await Promise.all([tellTrouble(ctx), tellTrouble(ctx)])
  expect(both.toSorted()).toEqual([false, true])
  expect(await told()).toMatchObject([
    { title: 'No mail can be sent', body: expect.stringContaining('One mail waits') },
  ])
  // It can be reached now, but takes no mail from us.
  Object.assign(sink, { refuses: 'connections', refuseWith: 554 })
  await settings()
  await hurry(id)
  await until(async () => (await row(id)).smtp_code === 554)
  expect(await attention()).toMatchObject([{ severity: 'critical' }])
  sink.refuseWith = undefined
  await hurry(id)
  await until(async () => (await row(id)).state === 'sent')
  expect([await tellTrouble(ctx), await attention()]).toEqual([false, []])
  expect(await told()).toHaveLength(1)
})

test.each([
  ['connections', 554],
  ['senders', 530],
] as const)(
  'a mail server that refuses all %s with %i gets the mail later',
  async (refuses, code) => {
    await settings()
    Object.assign(sink, { refuses, refuseWith: code })
    const id = await mail()
    const tried = await until(async () => {
      const now = await row(id)
      return now.attempts === 1 && now.lease_until === null && now
    })
    sink.refuseWith = undefined
    expect([tried.state, tried.smtp_code]).toEqual(['queued', code])
    await hurry(id)
    await until(async () => (await row(id)).state === 'sent')
  },
)
