import { createHmac, randomUUID } from 'node:crypto'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyRoom } from '../../../control-plane/src/http/body-room.ts'
import { until } from '../../support/until.ts'
import { DESK, type MailStage, openMailStage } from './mail-stage.ts'

let stage: MailStage
let lodge: MailStage['lodge']
let sink: MailStage['sink']
let agent: MailStage['agent']
let secret: string

beforeAll(async () => {
  stage = await openMailStage()
  ;({ lodge, sink, agent, secret } = stage)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

interface Signing {
  id?: string
  type?: string
  key?: string
  at?: number
  signature?: string
}
/** A request of a bridge. */
async function bridge(body: object | string | Buffer, given: Signing = {}) {
  const content = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const { id = randomUUID(), type = 'application/json', key = secret } = given
  const at = given.at ?? Math.floor(Date.now() / 1000)
  const right = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
    .update(`${id}.${at}.`)
    .update(content)
    .digest('base64')
  const answer = await fetch(`${lodge.url}/api/support/inbound`, {
    method: 'POST',
    headers: {
      'content-type': type,
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': given.signature ?? `v1,${right}`,
    },
    body: new Uint8Array(content),
  })
  const { result, code } = (await answer.json()) as { result?: string; code?: string }
  return { status: answer.status, result, code }
}

let count = 0
const mail = (more: object) => ({
  messageId: `<${++count}.${randomUUID()}@mail.example.org>`,
  from: 'Ann <ann@example.org>',
  to: [DESK],
  subject: 'My server',
  text: 'It does not start.',
  auth: { dmarc: 'pass' },
  ...more,
})

const ticketsOf = async (email: string) => {
  const { rows } = await lodge.database.pool.query<{ id: string; number: number; status: string }>(
    'select id, number, status from support_tickets where requester_email = $1 order by number',
    [email],
  )
  return rows
}
const messagesOf = async (ticketId: string) => {
  const { rows } = await lodge.database.pool.query<{
    id: string
    body: string
    held: boolean
    unverified_sender: boolean
    mail_id: string
  }>('select * from support_messages where ticket_id = $1 order by created_at, id', [ticketId])
  return rows
}
/** The newest mail of the panel to somebody, as their mail program shows it. */
const mailTo = (address: string, text: RegExp) =>
  until(async () => {
    for (const { to, raw } of sink.mails.toReversed()) {
      if (to !== address) continue
      const read = await PostalMime.parse(raw)
      if (text.test(read.text ?? '')) return read
    }
    return undefined
  })
/** A ticket that an agent opened for a customer, and the mail that the customer got. */
async function conversation() {
  const customer = await lodge.customer()
  const ticket = await agent.must('POST /api/support/tickets', {
    body: { subject: 'Your disk', bodyMarkdown: 'It is nearly full.', requesterId: customer.id },
  })
  const sent = await mailTo(customer.email, /nearly full/)
  const to = sent.replyTo?.[0]?.address ?? ''
  return { customer, ticket, sent, to }
}

describe('the bridge', () => {
  test('is authenticated by its signature alone, and only while it is on', async () => {
    const good = mail({ from: 'signed@example.org' })
    const at = Math.floor(Date.now() / 1000)
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    for (const given of [
      { key: other },
      { at: at - 400 },
      { at: at + 400 },
      { signature: 'v1,' },
      { signature: `v2,${'a'.repeat(44)}` },
      { id: 'a b' },
    ])
      expect(await bridge(good, given)).toMatchObject({ status: 401, code: 'signature_invalid' })
    expect(await bridge('{', {})).toMatchObject({ status: 400, code: 'malformed_json' })
    expect(await bridge({ subject: 'x' })).toMatchObject({ status: 400, code: 'validation_failed' })
    expect(await bridge(good, { type: 'text/html' })).toMatchObject({ status: 415 })
    await agent.must('PUT /api/support/inbound/settings', { body: { enabled: false } })
    expect(await bridge(good)).toMatchObject({ status: 404 })
    await agent.must('PUT /api/support/inbound/settings', { body: { enabled: true } })
    expect(await ticketsOf('signed@example.org')).toHaveLength(0)
    expect(await bridge(good)).toEqual({ status: 200, result: 'accepted' })
  })

  test('delivers a mail once, however often and concurrently it sends it', async () => {
    const once = mail({ from: 'once@example.org' })
    const results = await Promise.all(Array.from({ length: 8 }, () => bridge(once)))
    expect(results.map(({ result }) => result).sort()).toEqual([
      'accepted',
      ...Array(7).fill('duplicate'),
    ])
    const id = randomUUID()
    await bridge(mail({ from: 'once@example.org' }), { id })
    expect(await bridge(mail({ from: 'once@example.org' }), { id })).toMatchObject({
      result: 'duplicate',
    })
    expect(await ticketsOf('once@example.org')).toHaveLength(2)
  })

  test('gets a new secret, and the former one stays valid for a day', async () => {
    const former = secret
    const next = await agent.must('POST /api/support/inbound/secret')
    secret = next.secret
    const left = Date.parse(next.formerUntil ?? '') - Date.now()
    expect(left).toBeGreaterThan(23.9 * 3_600_000)
    expect(await bridge(mail({}), { key: former })).toMatchObject({ status: 200 })
    await lodge.database.pool.query(
      `update settings set value = jsonb_set(value, '{former,until}', '"2026-01-01T00:00:00.000Z"')
       where area = 'inbound_mail'`,
    )
    expect(await bridge(mail({}), { key: former })).toMatchObject({ status: 401 })
    const { rows } = await lodge.database.pool.query(
      "select value::text from settings where area = 'inbound_mail'",
    )
    expect(rows[0].value).not.toContain(secret.slice(6))
  })
})

describe('a mail', () => {
  test('of an unknown sender opens a ticket, even without an account', async () => {
    expect(await bridge(mail({ from: 'new@example.org', subject: 'Hi\r\nBcc: x' }))).toMatchObject({
      result: 'accepted',
    })
    const [ticket] = await ticketsOf('new@example.org')
    const shown = await agent.must('GET /api/support/tickets/{id}', {
      params: { id: ticket?.id ?? '' },
    })
    expect(shown).toMatchObject({ subject: 'Hi Bcc: x', source: 'email', status: 'new' })
    const ack = await mailTo('new@example.org', /will answer/)
    expect(ack.references).toBe((await messagesOf(shown.id))[0]?.mail_id)
    expect(ack.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  })

  test('to the reply address is added to its ticket and reopens it, without the quote', async () => {
    const { customer, ticket, sent, to } = await conversation()
    expect(to).toMatch(/^support\+\d+\.[a-z2-7]{26}@desk\.example\.com$/)
    expect(sent.headers.some(({ key }) => key === 'auto-submitted')).toBe(false)
    const text = `Thanks!\n\nOn Mon, 16 Nov 2026 at 10:00, Desk wrote:\n> nearly full`
    const answer = mail({ from: customer.email, to: [to.toUpperCase()], text, auth: {} })
    expect(await bridge(answer)).toMatchObject({ result: 'accepted' })
    const [, message] = await messagesOf(ticket.id)
    expect(message).toMatchObject({ body: 'Thanks!', held: false, unverified_sender: false })
    const { status } = await agent.must('GET /api/support/tickets/{id}', {
      params: { id: ticket.id },
    })
    expect(status).toBe('new')
  })

  test('that only references our mail is added to its ticket too, but never by its subject alone', async () => {
    const { customer, ticket, sent } = await conversation()
    const referring = { from: customer.email, inReplyTo: sent.messageId, subject: 'whatever' }
    expect(await bridge(mail(referring))).toMatchObject({ result: 'accepted' })
    expect(await messagesOf(ticket.id)).toHaveLength(2)
    await bridge(mail({ from: customer.email, subject: `Re: ${ticket.number} Your disk` }))
    expect(await messagesOf(ticket.id)).toHaveLength(2)
    expect(await ticketsOf(customer.email)).toHaveLength(2)
  })

  test('of another sender, or with failed authentication, is held for an agent and seen by nobody else', async () => {
    const { customer, ticket, to } = await conversation()
    for (const more of [{ from: 'eve@example.org' }, { auth: { dmarc: 'fail' } }]) {
      const forged = mail({ from: customer.email, to: [to], text: 'Delete it all.', ...more })
      expect(await bridge(forged)).toMatchObject({ result: 'held' })
    }
    for (const message of (await messagesOf(ticket.id)).slice(1))
      expect(message).toMatchObject({ held: true, unverified_sender: true })
    const seen = await customer.must('GET /api/support/tickets/{id}', { params: { id: ticket.id } })
    expect(JSON.stringify(seen)).not.toContain('Delete it all')

    const inView = async () => {
      const query = { view: 'held' } as const
      const { items } = await agent.must('GET /api/support/tickets', { query })
      return items.filter(({ id }) => id === ticket.id).length
    }
    expect(await inView()).toBe(1)
    const [, first, second] = await messagesOf(ticket.id)
    const held = (message: typeof first) => ({ params: { id: message?.id ?? '' } })
    await agent.must('POST /api/support/inbound/held/{id}', held(first))
    await agent.must('DELETE /api/support/inbound/held/{id}', held(second))
    for (const decided of [first, second])
      expect((await agent.call('POST /api/support/inbound/held/{id}', held(decided))).status).toBe(
        404,
      )
    expect(await inView()).toBe(0)
    const after = await customer.must('GET /api/support/tickets/{id}', {
      params: { id: ticket.id },
    })
    expect(after.messages.map(({ id }) => id)).toEqual([after.messages[0]?.id, first?.id])
  })

  test('of a machine is discarded', async () => {
    const { customer, ticket, to } = await conversation()
    const receipt = 'multipart/report; report-type=disposition-notification'
    for (const more of [
      { headers: { 'Auto-Submitted': 'auto-replied' } },
      { from: 'MAILER-DAEMON@example.org' },
      { headers: { 'List-Id': '<news.example.org>' } },
      { headers: { 'Content-Type': receipt } },
      { from: DESK },
    ]) {
      const automatic = mail({ from: customer.email, to: [to], ...more })
      expect(await bridge(automatic)).toMatchObject({ result: 'ignored' })
    }
    expect(await messagesOf(ticket.id)).toHaveLength(1)
  })

  test('is held from the sixth in ten minutes on, so that two machines do not loop forever', async () => {
    const { customer, to } = await conversation()
    const results = []
    for (let each = 0; each < 7; each++)
      results.push((await bridge(mail({ from: customer.email, to: [to] }))).result)
    expect(results).toEqual([...Array(5).fill('accepted'), 'held', 'held'])
  })

  test('brings its files, if their type is accepted', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n0', 'latin1').toString('base64')
    const attachments = [
      { name: '../../screen.png', type: 'image/png', base64: png },
      { name: 'copy.png', type: 'image/png', base64: png },
      { name: 'run.exe', type: 'image/png', base64: Buffer.from('MZ\0').toString('base64') },
    ]
    await bridge(mail({ from: 'files@example.org', attachments }))
    const [ticket] = await ticketsOf('files@example.org')
    const { messages } = await agent.must('GET /api/support/tickets/{id}', {
      params: { id: ticket?.id ?? '' },
    })
    expect(messages[0]?.attachments).toMatchObject([{ name: 'screen.png', type: 'image/png' }])
    expect(messages[0]?.bodyMarkdown).toContain('Left out: run.exe')
    expect(messages[0]?.bodyMarkdown).toContain('another file is the same: copy.png')
  })

  test('of a stranger brings files only within the total limit for strangers', async () => {
    const { customer, ticket, to } = await conversation()
    const { pool } = lodge.database
    await pool.query(`insert into rate_limits values ('strangersFiles:all', now() + interval '1 day')
      on conflict (key) do update set full_at = excluded.full_at`)
    const text = Buffer.from('not much').toString('base64')
    const attachments = [{ name: 'log.txt', type: 'text/plain', base64: text }]
    try {
      await bridge(mail({ from: 'many@example.org', attachments }))
      await bridge(mail({ from: customer.email, to: [to], attachments }))
    } finally {
      await pool.query(`delete from rate_limits where key = 'strangersFiles:all'`)
    }
    const [other] = await ticketsOf('many@example.org')
    const last = async (id = '') =>
      (await agent.must('GET /api/support/tickets/{id}', { params: { id } })).messages.at(-1)
    expect((await last(other?.id))?.bodyMarkdown).toContain('Left out: log.txt')
    expect((await last(other?.id))?.attachments).toEqual([])
    expect((await last(ticket.id))?.attachments).toMatchObject([{ name: 'log.txt' }])
  })

  test('and the agents’ answers are one conversation in every mail program', async () => {
    const { customer, ticket, sent, to } = await conversation()
    const question = mail({ from: customer.email, to: [to], text: 'How much is left?' })
    await bridge(question)
    const params = { id: ticket.id }
    const body = { kind: 'note' as const, bodyMarkdown: 'Look at his quota first.' }
    await agent.must('POST /api/support/tickets/{id}/messages', { params, body })
    await agent.must('POST /api/support/tickets/{id}/messages', {
      params,
      body: { kind: 'reply', bodyMarkdown: 'Three **gigabytes**.' },
    })
    const answer = await mailTo(customer.email, /gigabytes/)
    expect(answer.subject).toBe(sent.subject)
    expect(answer.inReplyTo).toBe(question.messageId)
    expect(answer.references?.split(/\s+/)).toEqual([sent.messageId, question.messageId])
    expect(answer.replyTo?.[0]?.address).toBe(to)
    expect(answer.messageId).not.toBe(sent.messageId)
    expect(sink.mails.some(({ raw }) => raw.includes('quota first'))).toBe(false)
    // The customer's reply to it is matched, although it contains no token.
    await bridge(mail({ from: customer.email, inReplyTo: answer.messageId }))
    expect(await messagesOf(ticket.id)).toHaveLength(5)
  })

  test('after the end of its ticket opens another one that names it', async () => {
    const { customer, ticket, to } = await conversation()
    await lodge.database.pool.query(
      `update support_tickets set status = 'closed', closed_at = now(), solved_at = now() where id = $1`,
      [ticket.id],
    )
    expect(await bridge(mail({ from: customer.email, to: [to] }))).toMatchObject({
      result: 'accepted',
    })
    const { rows } = await lodge.database.pool.query(
      'select 1 from support_tickets where follow_up_of = $1',
      [ticket.id],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('the mail server of the panel', () => {
  /** Sends as another mail server does. @returns the response to it */
  async function send(to: string, raw: string, from = 'bob@example.org'): Promise<number> {
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port: lodge.controlPlane.services.smtp.port ?? 0,
      ignoreTLS: true,
    })
    try {
      await transport.sendMail({ envelope: { from, to: [to] }, raw })
      return 250
    } catch (error) {
      return (error as { responseCode?: number }).responseCode ?? 0
    } finally {
      transport.close()
    }
  }
  const raw = (...lines: string[]) => `${lines.join('\r\n')}\r\n`

  test('accepts mail for the desk and relays none', async () => {
    const first = raw('From: Bob <bob@example.org>', `To: ${DESK}`, 'Subject: By SMTP', '', 'Hello')
    expect(await send(DESK, first)).toBe(250)
    expect(await send(DESK, first)).toBe(250)
    expect(await ticketsOf('bob@example.org')).toHaveLength(1)
    expect(await send('someone@elsewhere.example', first)).toBe(550)
    expect(await send('admin@desk.example.com', first)).toBe(550)
    expect(await send(DESK, raw('Subject: no sender', '', 'x'))).toBe(554)
  })

  test('defers a mail while mail being received uses all the memory for it', async () => {
    const late = raw('From: Late <late@example.org>', `To: ${DESK}`, 'Subject: Late', '', 'Hello')
    const place = bodyRoom.place(undefined)
    try {
      for (;;) place.take(1024 * 1024)
    } catch {
      expect(await send(DESK, late, 'late@example.org')).toBe(451)
    } finally {
      place.end()
    }
    expect(await send(DESK, late, 'late@example.org')).toBe(250)
    expect(await ticketsOf('late@example.org')).toHaveLength(1)
  })

  test('matches a reply to its ticket, and notifies the agents of a bounce', async () => {
    const { customer, ticket, sent, to } = await conversation()
    const answer = raw(`From: ${customer.email}`, `To: ${DESK}`, 'Subject: Re: x', '', 'Done.')
    expect(await send(to, answer, customer.email)).toBe(250)
    expect(await messagesOf(ticket.id)).toHaveLength(2)
    const bounce = raw(
      'From: MAILER-DAEMON@mx.example.org',
      `To: ${DESK}`,
      'Subject: Undelivered',
      'Auto-Submitted: auto-replied',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      ...['', '--b', '', 'It did not arrive.', '--b', 'Content-Type: message/delivery-status'],
      ...['', 'Action: failed', '', '--b', 'Content-Type: message/rfc822', ''],
      ...[`Message-ID: ${sent.messageId}`, 'Subject: x', '', 'y', '--b--'],
    )
    expect(await send(DESK, bounce, '')).toBe(250)
    expect(await messagesOf(ticket.id)).toHaveLength(2)
    const { events } = await agent.must('GET /api/support/tickets/{id}', {
      params: { id: ticket.id },
    })
    expect(events?.at(-1)?.change).toEqual({ mailBounced: 'Undelivered' })
  })
})
