import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RETRY_MINUTES } from '../../../control-plane/src/domains/email/sender.ts'
import { claimMessages } from '../../../control-plane/src/domains/email/store.ts'
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
const catching = () => settings({ host: null })

/** Sends a test mail of a template; returns its id. */
async function mail(template = 'test'): Promise<string> {
  await lodge.database.pool.query('truncate rate_limits')
  const admin = await lodge.admin()
  const { messageId } = await admin.must('POST /api/email/templates/{template}/test', {
    params: { template },
  })
  return messageId
}
const row = async (id: string) =>
  (await lodge.database.pool.query('select * from email_messages where id = $1', [id])).rows[0]

describe('without a mail server', () => {
  test('mail is stored encrypted and can be read with its content', async () => {
    await catching()
    const id = await mail('password_reset')
    const { items } = await (await lodge.admin()).must('GET /api/email/outbox')
    const found = items.find((item) => item.id === id)
    expect(found).toMatchObject({
      template: 'password_reset',
      to: 'root@example.com',
      state: 'queued',
    })
    expect(found?.content?.text).toContain('https://panel.test/accept#token=sample')
    expect(JSON.stringify(await row(id))).not.toContain('token=sample')
  })

  test('mail to an administrator can be read by the super administrator only', async () => {
    await catching()
    const id = await mail('password_reset')
    const limited = await lodge.limitedAdmin(['email.view'])
    const { items } = await limited.must('GET /api/email/outbox')
    expect(items.find((item) => item.id === id)?.content).toBeNull()
  })

  test('the list is paged and can be filtered by state', async () => {
    await catching()
    for (let at = 0; at < 3; at++) await mail()
    const admin = await lodge.admin()
    const first = await admin.must('GET /api/email/outbox', { query: { limit: 2 } })
    expect(first.items).toHaveLength(2)
    const second = await admin.must('GET /api/email/outbox', {
      query: { limit: 2, after: first.nextCursor ?? '' },
    })
    const ids = [...first.items, ...second.items].map((item) => item.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(
      (await admin.must('GET /api/email/outbox', { query: { state: 'failed' } })).items,
    ).toEqual([])
  })
})

describe('with a mail server', () => {
  test('a mail is sent once, as text and HTML, with a stable id and marked as automatic', async () => {
    await settings()
    const id = await mail()
    await until(async () => (await row(id)).state === 'sent')
    const got = sink.mails.filter((one) => one.raw.includes(`<${id}@panel.test>`))
    expect(got).toHaveLength(1)
    expect(got[0]).toMatchObject({ to: 'root@example.com' })
    expect(got[0]?.raw).toMatch(/^Auto-Submitted: auto-generated/im)
    expect(got[0]?.raw).toContain('Content-Type: text/plain')
    expect(got[0]?.raw).toContain('Content-Type: text/html')
    const { items } = await (await lodge.admin()).must('GET /api/email/outbox')
    expect(items.find((item) => item.id === id)).toMatchObject({ smtpCode: 250, content: null })
  })

  test('several instances send each mail once', async () => {
    await settings({ host: '127.0.0.1' })
    await using beside = await lodge.beside()
    expect(beside.url).not.toBe(lodge.url)
    const ids = await Promise.all(Array.from({ length: 5 }, () => mail()))
    const more = await lodge.database.pool.query<{ id: string }>(
      `insert into email_messages (id, template, to_address, subject, content, priority, message_id, expires_at)
       select gen_random_uuid(), template, to_address, subject, null, 2, message_id, now() - interval '1 hour'
       from email_messages, generate_series(1, 20) where id = $1 returning id`,
      [ids[0]],
    )
    await until(async () => {
      const { rows } = await lodge.database.pool.query(
        `select count(*)::int as open from email_messages where state = 'queued'`,
      )
      return rows[0].open === 0
    })
    for (const id of ids)
      expect(sink.mails.filter((one) => one.raw.includes(`<${id}@panel.test>`)).length).toBe(1)
    const { rows } = await lodge.database.pool.query(
      `select distinct state, last_error from email_messages where id = any($1)`,
      [more.rows.map(({ id }) => id)],
    )
    expect(rows).toEqual([{ state: 'failed', last_error: 'expired' }])
  })

  test('a temporary failure is retried with backoff and given up after the eighth attempt', async () => {
    await settings()
    sink.refuseWith = 451
    try {
      const id = await mail()
      const waits: number[] = []
      for (let attempt = 1; attempt <= RETRY_MINUTES.length; attempt++) {
        const found = await until(async () => {
          const now = await row(id)
          return now.attempts === attempt && now.lease_until === null && now
        })
        expect([found.state, found.smtp_code]).toEqual(['queued', 451])
        waits.push(Math.round((found.next_attempt_at.getTime() - Date.now()) / 60_000))
        await lodge.database.pool.query(
          'update email_messages set next_attempt_at = now() where id = $1',
          [id],
        )
      }
      expect(waits).toEqual([1, 5, 30, 120, 360, 720, 1440])
      await until(async () => (await row(id)).state === 'failed')

      sink.refuseWith = undefined
      const admin = await lodge.admin()
      await admin.must('POST /api/email/outbox/{id}/retry', { params: { id } })
      await until(async () => (await row(id)).state === 'sent')
      const again = await admin.call('POST /api/email/outbox/{id}/retry', { params: { id } })
      expect(again).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    } finally {
      sink.refuseWith = undefined
    }
  })

  test('a permanent failure is final immediately', async () => {
    await settings()
    sink.refuseWith = 550
    try {
      const id = await mail()
      await until(async () => (await row(id)).state === 'failed')
      expect(await row(id)).toMatchObject({ attempts: 1, smtp_code: 550 })
    } finally {
      sink.refuseWith = undefined
    }
  })

  test('urgent mail is sent first', async () => {
    await catching()
    const [later, urgent] = [await mail('signup_rejected'), await mail('password_reset')]
    const { db } = lodge.controlPlane.services
    await lodge.database.pool.query(
      `update email_messages set next_attempt_at = now() + interval '1 hour' where id <> all($1)`,
      [[later, urgent]],
    )
    const claimed = [await claimMessages(db, 1, 60), await claimMessages(db, 1, 60)].flat()
    expect(claimed.map(({ id }) => id)).toEqual([urgent, later])
  })

  test('mail is signed when there is a key, and neither key nor password is ever shown', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const dkim = { domain: 'panel.test', selector: 's1', privateKey }
    const shown = await settings({ dkim, password: 'hidden-word' })
    expect(shown).toMatchObject({
      hasPassword: true,
      dkim: { domain: 'panel.test', selector: 's1', hasPrivateKey: true },
    })
    const { rows } = await lodge.database.pool.query(
      `select value from settings where area = 'mail'`,
    )
    expect(JSON.stringify([shown, rows])).not.toMatch(/hidden-word|PRIVATE KEY/)
    const id = await mail()
    await until(async () => (await row(id)).state === 'sent')
    const got = sink.mails.find((one) => one.raw.includes(`<${id}@panel.test>`))
    expect(got?.raw).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256;.*d=panel\.test/im)
    const bad = await (await lodge.admin()).call('PUT /api/settings/mail', {
      body: { ...sink.settings, dkim: { ...dkim, privateKey: 'nonsense' } },
    })
    expect(bad).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(await settings()).toMatchObject({ hasPassword: true })
    expect(await settings({ password: null })).toMatchObject({ hasPassword: false })
  })

  test('the settings are tested by a mail whose result is reported', async () => {
    const admin = await lodge.admin()
    await settings()
    await lodge.database.pool.query('truncate rate_limits')
    expect(await admin.must('POST /api/settings/mail/test')).toEqual({
      sent: true,
      smtpCode: 250,
      error: null,
    })
    await catching()
    expect(await admin.call('POST /api/settings/mail/test')).toMatchObject({ status: 409 })
  })
})

describe('whoever sets the mail server', () => {
  const put = async (change: object) =>
    (await lodge.admin()).call('PUT /api/settings/mail', { body: { ...sink.settings, ...change } })

  test.each([
    ['host', { host: 'mail.evil.example' }],
    ['port', { port: 2525 }],
    ['user', { user: 'somebody-else' }],
    ['security', { security: 'tls' }],
  ])('enters the password again when the %s changes', async (_, change) => {
    await settings({ user: 'lodge', password: 'hidden-word' })
    const refused = await put({ user: 'lodge', ...change })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/password' }] },
    })
    const kept = await (await lodge.admin()).must('GET /api/settings/mail')
    expect(kept).toMatchObject({ host: sink.settings.host, user: 'lodge', hasPassword: true })
    const from = { name: 'Other', address: 'other@panel.test' }
    expect((await put({ user: 'lodge', from })).body).toMatchObject({ hasPassword: true })
    // Removing the host in between does not help either.
    expect((await put({ user: 'lodge', host: null })).status).toBe(200)
    expect((await put({ user: 'lodge', ...change })).status).toBe(400)
    expect((await put({ user: 'lodge', ...change, password: 'hidden-word' })).status).toBe(200)
    await settings({ password: null })
  })

  test('cannot use tests to scan ports of other machines', async () => {
    const silent = net.createServer().listen(0, '127.0.0.1')
    const other = net.createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    other.listen(0, '127.0.0.1')
    const closed = net.createServer().listen(0, '127.0.0.1')
    await Promise.all([silent, other, closed].map((server) => once(server, 'listening')))
    const portOf = (server: net.Server) => (server.address() as net.AddressInfo).port
    const ports = [silent, other, closed].map(portOf)
    await new Promise((done) => closed.close(done))
    const admin = await lodge.admin()
    const answers = []
    for (const port of ports) {
      await lodge.database.pool.query('truncate rate_limits')
      await settings({ port })
      const started = performance.now()
      const result = await admin.must('POST /api/settings/mail/test')
      answers.push({ said: result, seconds: Math.round((performance.now() - started) / 1000) })
    }
    silent.close()
    other.close()
    expect(answers[0]?.said).toMatchObject({ sent: false, smtpCode: null })
    expect(answers[0]?.said.error).toMatch(/check host, port, security/)
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    await settings()
  })
})

describe('a template', () => {
  const edit = async (body: object, template = 'test') =>
    (await lodge.admin()).call('PUT /api/email/templates/{template}', {
      params: { template },
      body: { subject: 'S', body: 'B', ...body },
    })
  const preview = async (template: string, body: object = {}) =>
    (await lodge.admin()).must('POST /api/email/templates/{template}/preview', {
      params: { template },
      body,
    })

  test('of every kind renders to a subject, a text and HTML', async () => {
    const { items } = await (await lodge.admin()).must('GET /api/email/templates')
    expect(items.length).toBeGreaterThanOrEqual(15)
    for (const { id } of items) {
      const shown = await preview(id)
      expect(shown.subject, id).not.toMatch(/[{}]|^$/)
      expect(shown.text, id).not.toMatch(/\{\{|\{%|\]\(/)
      expect(shown.html, id).not.toMatch(/\{\{|\{%/)
      expect(shown.html, id).toContain('color-scheme')
    }
  })

  test('may use only its variables, and lists them in the problem', async () => {
    for (const body of [
      'Hi {{ password }}',
      '{% if user.passwordHash %}x{% endif %}',
      '{% for x in panel %}{{ x }}{% endfor %}',
    ]) {
      const answer = await edit({ body })
      expect(answer.status).toBe(400)
      expect(JSON.stringify(answer.body)).toMatch(/allowed are panel\.name, panel\.url/)
    }
  })

  test.each([
    '{% include "x" %}',
    '{% render "x" %}',
    '{% assign a = 1 %}',
    '{% capture a %}{% endcapture %}',
    '{% raw %}{% endraw %}',
    '{{ user.name',
    '{% if user.name %}',
    '{{ user.name | json }}',
    '{{ user.name | where: "a" }}',
  ])('contains no other tags, no other filters and nothing unfinished: %s', async (body) => {
    expect(await edit({ body })).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  test.each([
    '<script>x</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:x">a</a>',
    '<form action="https://evil.example">',
    '<iframe src=x>',
  ])('contains nothing active: %s', async (html) => {
    expect(await edit({ html })).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  test('cannot run for long', async () => {
    const loops = '{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}'
    const started = Date.now()
    const answer = await (await lodge.admin()).call(
      'POST /api/email/templates/{template}/preview',
      {
        params: { template: 'test' },
        body: { body: loops },
      },
    )
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(Date.now() - started).toBeLessThan(3000)
  })

  test('escapes its values, and turns no foreign link into a button', async () => {
    const shown = await preview('collaborator_invite', {
      html: '<p>{{ server }} {{ user.name }}</p>',
      body: '<b>{{ server }}</b>\n\n[Click](https://evil.example/x)\n\n[Panel](https://panel.example.com/x)',
    })
    expect(shown.text).toContain('<b>Survival</b>')
    const plain = await preview('collaborator_invite', {
      html: null,
      body: '<b>{{ server }}</b>\n\n[Click](https://evil.example/x)\n\n[Panel](https://panel.example.com/x)',
    })
    expect(plain.html).not.toContain('<b>Survival')
    expect(plain.html).not.toContain('href="https://evil.example')
    expect(plain.html).toContain('href="https://panel.example.com/x"')
  })

  test('is changed, used and reset', async () => {
    await catching()
    expect((await edit({ subject: 'Own {{ panel.name }}', body: 'Own words' })).status).toBe(200)
    const id = await mail()
    const admin = await lodge.admin()
    const { items } = await admin.must('GET /api/email/outbox')
    expect(items.find((item) => item.id === id)).toMatchObject({
      subject: 'Own Lodge',
      content: { text: 'Own words\n' },
    })
    await admin.must('DELETE /api/email/templates/{template}', { params: { template: 'test' } })
    const { items: after } = await admin.must('GET /api/email/templates')
    expect(after.find((item) => item.id === 'test')).toMatchObject({ edited: false })
  })

  test('about account security cannot be disabled', async () => {
    expect(await edit({ enabled: false }, 'password_reset')).toMatchObject({ status: 409 })
    expect((await edit({ enabled: false }, 'limit_warning')).status).toBe(200)
  })

  test('with an unknown name does not exist', async () => {
    for (const template of ['nope', '__proto__', 'toString'])
      expect((await edit({}, template)).status).toBe(404)
  })
})
