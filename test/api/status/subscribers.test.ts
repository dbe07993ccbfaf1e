import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { SmtpSink } from '../../support/smtp-sink.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { open, pageAt, SETTINGS, sendForm } from './status.fixture.ts'

let lodge: Lodge
let beside: Lodge
let admin: Caller
let sink: SmtpSink
beforeAll(async () => {
  sink = new SmtpSink()
  await sink.listen()
  lodge = await startLodge()
  beside = await lodge.beside()
  admin = await lodge.admin()
  await lodge.database.pool.query(
    `insert into settings (area, value) values ('mail', $1)
     on conflict (area) do update set value = excluded.value`,
    [sink.settings],
  )
  await admin.must('PUT /api/status/settings', { body: { ...SETTINGS, subscriptions: true } })
})
afterAll(async () => {
  await beside?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await sink?.[Symbol.asyncDispose]()
})
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

const subscribe = (email: string, at: Lodge = lodge) =>
  sendForm(at, '/api/status/subscribers', { email })
/** The text of a mail as its reader sees it. */
const textOf = (raw: string) =>
  raw
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
const mailsTo = (to: string) =>
  sink.mails.filter((mail) => mail.to === to).map(({ raw }) => textOf(raw))
const linkIn = (text: string, kind: string) =>
  new RegExp(`/status/${kind}\\?token=([\\w.-]+)`).exec(text)?.[1] ?? ''

async function confirmed(email: string): Promise<void> {
  await subscribe(email)
  const mail = await until(async () => mailsTo(email)[0])
  const token = linkIn(mail, 'confirm')
  const page = await pageAt(lodge, `/status/confirm?token=${token}`)
  expect(page.body).toContain(`value="${token}"`)
  const done = await sendForm(lodge, '/api/status/subscribers/confirm', { token })
  expect(done.statusCode).toBe(200)
  expect(done.body).toContain('You are subscribed')
}

test('mail is sent only to confirmed addresses, and the link works once', async () => {
  await confirmed('ann@example.com')
  await subscribe('never@example.com')
  await until(async () => mailsTo('never@example.com')[0])
  const { id } = await open(admin, { title: 'Switch gone' })
  const mail = await until(async () => mailsTo('ann@example.com')[1])
  expect(mail).toContain('Subject: Investigating: Switch gone')
  expect(mail).toContain(`/status/incidents/${id}`)
  expect(mailsTo('never@example.com')).toHaveLength(1)
  const token = linkIn(mailsTo('ann@example.com')[0] ?? '', 'confirm')
  const again = await sendForm(lodge, '/api/status/subscribers/confirm', { token })
  expect([again.statusCode, again.body.includes('no longer works')]).toEqual([400, true])
  expect(await admin.must('GET /api/status/subscribers')).toEqual({ confirmed: 1, unconfirmed: 1 })
})

test('mail ends with one click, or with the button behind its link, and the address is gone', async () => {
  for (const [email, way] of [
    ['one@example.com', 'click'],
    ['two@example.com', 'button'],
  ] as const) {
    await confirmed(email)
    await open(admin, { title: `For ${way}` })
    const mail = await until(async () => mailsTo(email)[1])
    if (way === 'click') {
      const url = /List-Unsubscribe:\s+<https?:\/\/[^/]+([^>]+)>/.exec(mail)?.[1] ?? ''
      expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
      const sent = await lodge.anonymous().send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
      expect(sent.statusCode).toBe(204)
    } else {
      const token = linkIn(mail, 'unsubscribe')
      // Opening the link alone ends nothing: mail scanners open links.
      expect((await pageAt(lodge, `/status/unsubscribe?token=${token}`)).body).toContain('End mail')
      const done = await sendForm(lodge, '/api/status/subscribers/leave', { token })
      expect(done.body).toContain('You get no more mail')
    }
    const { rows } = await lodge.database.pool.query(
      'select from status_subscribers where address = $1',
      [email],
    )
    expect(rows).toEqual([])
  }
  const forged = await sendForm(lodge, '/api/status/subscribers/leave', { token: 'x.y' })
  expect(forged.statusCode).toBe(400)
})

test('the response is the same whether an address is subscribed already or not', async () => {
  await confirmed('known@example.com')
  const [known, unknown] = [
    await subscribe('known@example.com'),
    await subscribe('new@example.com'),
  ]
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
  await until(async () => mailsTo('new@example.com')[0])
  // An address that is subscribed already receives no second link or other mail.
  await subscribe('new@example.com')
  await subscribe('other@example.com')
  await until(async () => mailsTo('other@example.com')[0])
  expect(mailsTo('new@example.com')).toHaveLength(1)
  expect(mailsTo('known@example.com')).toHaveLength(1)
})

test('one visitor can request only so many links, and only for valid addresses', async () => {
  const ask = (email: string) =>
    sendForm(lodge, '/api/status/subscribers', { email }, '203.0.113.77')
  expect((await ask('no address')).statusCode).toBe(400)
  const answers = []
  for (let at = 0; at < 8; at++) answers.push((await ask(`many-${at}@example.com`)).statusCode)
  expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3)
})

test('each subscriber gets an update once, even if two control planes send concurrently', async () => {
  const { pool } = lodge.database
  await pool.query('delete from status_subscribers')
  await pool.query(
    `insert into status_subscribers (id, address, asked_at, confirmed_at)
     select gen_random_uuid(), 'crowd-' || n || '@example.com', now(), now() - interval '1 hour'
     from generate_series(1, 250) n`,
  )
  await open(admin, { title: 'For all' })
  await until(async () => {
    const { rows } = await pool.query(`select from status_mailings`)
    return rows.length === 0
  })
  const { rows } = await pool.query<{ count: number; distinct: number }>(
    `select count(*)::int as count, count(distinct to_address)::int as distinct
     from email_messages where template = 'status_update' and subject like '%For all'`,
  )
  expect(rows).toEqual([{ count: 250, distinct: 250 }])
})

test('drafts and corrections send no mail', async () => {
  const count = async () => {
    const { rows } = await lodge.database.pool.query(
      `select count(*)::int as count from status_mailings`,
    )
    return rows[0].count
  }
  const draft = await admin.must('POST /api/status/incidents', {
    body: { kind: 'incident', title: 'Draft', impact: 'partial', body: 'Perhaps.' },
  })
  await admin.must('POST /api/status/incidents/{id}/updates', {
    params: { id: draft.id },
    body: { body: 'Perhaps not.' },
  })
  await admin.must('PATCH /api/status/incidents/{id}', {
    params: { id: draft.id },
    body: { title: 'Still a draft' },
  })
  expect(await count()).toBe(0)
})

test('subscriptions not confirmed within a day are deleted', async () => {
  const { deleteUnconfirmed } = await import(
    '../../../control-plane/src/domains/status/subscribers/store.ts'
  )
  const { pool } = lodge.database
  await pool.query(
    `insert into status_subscribers (id, address, asked_at, confirm_until)
     values (gen_random_uuid(), 'late@example.com', now(), now() - interval '1 second')`,
  )
  expect(await deleteUnconfirmed(lodge.controlPlane.services.db)).toBeGreaterThanOrEqual(1)
})
