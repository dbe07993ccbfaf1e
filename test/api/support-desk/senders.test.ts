import { generateKeyPairSync, randomUUID } from 'node:crypto'
import nodemailer from 'nodemailer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bringMail } from '../../support/mail-bridge.ts'
import { until } from '../../support/until.ts'
import { DESK, type MailStage, openMailStage } from './mail-stage.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = {
  keySelector: 'a',
  privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}

let stage: MailStage
let lodge: MailStage['lodge']
let names: MailStage['names']
let sink: MailStage['sink']
let agent: MailStage['agent']
let secret: string

beforeAll(async () => {
  stage = await openMailStage()
  ;({ lodge, sink, names, agent, secret } = stage)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const KEY = 'a._domainkey.example.com'
const POLICY = '_dmarc.example.com'
beforeEach(() => {
  names.zone.clear()
  const record = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  names.zone.set(KEY, `v=DKIM1; k=rsa; p=${record}`)
  names.zone.set(POLICY, 'v=DMARC1; p=reject')
})

interface Sent {
  readonly from: string
  readonly to?: string
  readonly text?: string
  readonly inReplyTo?: string
  readonly messageId?: string
  /** The domain with whose key it is signed. */
  readonly signedBy?: string
}
/** Sends as another mail server does. @returns the response to it */
async function send({ to = DESK, signedBy, ...mail }: Sent): Promise<number> {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: lodge.controlPlane.services.smtp.port ?? 0,
    ignoreTLS: true,
    ...(signedBy !== undefined && { dkim: { ...key, domainName: signedBy } }),
  })
  try {
    const content = { subject: 'My server', text: 'It does not start.', ...mail }
    await transport.sendMail({ ...content, to, envelope: { from: mail.from, to: [to] } })
    return 250
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? 0
  } finally {
    transport.close()
  }
}

const bridge = (body: string | object) => bringMail(lodge.url, secret, body)

/** The newest ticket of an address, as an agent sees it. */
async function ticketOf(email: string) {
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    'select id from support_tickets where requester_email = $1 order by number desc limit 1',
    [email],
  )
  const [row] = rows
  return row && agent.must('GET /api/support/tickets/{id}', { params: { id: row.id } })
}

async function conversation() {
  const customer = await lodge.customer()
  const ticket = await agent.must('POST /api/support/tickets', {
    body: { subject: 'Your disk', bodyMarkdown: 'It is nearly full.', requesterId: customer.id },
  })
  const { raw } = await until(() => sink.mails.find(({ to }) => to === customer.email))
  const mailId = /^Message-ID: (.+)$/im.exec(raw)?.[1]?.trim() ?? ''
  const address = /^Reply-To: .*?(support\+[^\s>]+)/im.exec(raw)?.[1] ?? ''
  return { customer, params: { id: ticket.id }, mailId, address }
}

test('a mail signed by its domain is assigned to the account with its address', async () => {
  const customer = await lodge.customer()
  expect(await send({ from: customer.email, signedBy: 'example.com' })).toBe(250)
  const ticket = await ticketOf(customer.email)
  expect(ticket?.requester.id).toBe(customer.id)
  expect(ticket?.messages[0]).toMatchObject({
    ...{ unverifiedSender: false, held: false, author: { id: customer.id } },
    sender: {
      ...{ by: 'panel', domain: 'example.com', verified: true },
      dkim: { result: 'pass', domain: 'example.com' },
      spf: { result: 'none', domain: null },
      dmarc: { result: 'pass', policy: 'reject' },
    },
  })
  const own = await customer.must('GET /api/support/tickets/{id}', {
    params: { id: ticket?.id ?? '' },
  })
  expect(own.messages[0]).toMatchObject({ sender: null, heldBecause: null })
})

test('a mail that fails its domain’s policy is held with the reason, and is assigned to no account', async () => {
  const { customer, params, address } = await conversation()
  expect(await send({ from: customer.email, to: address, text: 'Delete it all.' })).toBe(250)
  const forged = { from: customer.email, signedBy: 'elsewhere.example' }
  names.zone.set('a._domainkey.elsewhere.example', names.zone.get(KEY) ?? null)
  expect(await send({ ...forged, to: address, text: 'Delete it all.' })).toBe(250)
  const { messages } = await agent.must('GET /api/support/tickets/{id}', { params })
  for (const message of messages.slice(1))
    expect(message).toMatchObject({
      ...{ held: true, heldBecause: 'disowned', unverifiedSender: true },
      author: { id: null, name: customer.email },
      sender: { verified: false, dmarc: { result: 'fail', policy: 'reject' } },
    })
  expect(messages).toHaveLength(3)
  expect(messages[2]?.sender?.dkim).toEqual({ result: 'pass', domain: 'elsewhere.example' })
  const seen = await customer.must('GET /api/support/tickets/{id}', { params })
  expect(JSON.stringify(seen)).not.toContain('Delete it all')

  expect(await send(forged)).toBe(250)
  const opened = await ticketOf(customer.email)
  expect(opened).toMatchObject({ requester: { id: null }, staff: { spam: true } })
  expect(opened?.messages[0]).toMatchObject({ held: true, heldBecause: 'disowned' })
})

test('an unauthenticated mail is accepted, but is assigned to no account, and its name stands before its address', async () => {
  names.zone.delete(POLICY)
  const customer = await lodge.customer()
  expect(await send({ from: `"Example, Ann" <${customer.email}>` })).toBe(250)
  const opened = await ticketOf(customer.email)
  expect(opened).toMatchObject({ requester: { id: null }, staff: { spam: false } })
  expect(opened?.messages[0]).toMatchObject({
    ...{ held: false, unverifiedSender: true },
    author: { id: null, name: `Example, Ann <${customer.email}>` },
    sender: { name: 'Example, Ann', verified: false, dmarc: { result: 'none', policy: null } },
  })

  const known = await conversation()
  const from = known.customer.email
  expect(await send({ from, inReplyTo: known.mailId })).toBe(250)
  expect(await send({ from, to: known.address })).toBe(250)
  const { messages } = await agent.must('GET /api/support/tickets/{id}', { params: known.params })
  expect(messages.slice(1)).toMatchObject([
    { held: false, unverifiedSender: true, author: { id: null } },
    // Only the two parties know the reply address.
    { held: false, unverifiedSender: false, author: { id: known.customer.id } },
  ])
})

test('a mail whose domain cannot be checked is deferred', async () => {
  const customer = await lodge.customer()
  const mail = { from: customer.email, signedBy: 'example.com' }
  names.zone.set(POLICY, null)
  expect(await send(mail)).toBe(451)
  names.zone.set(POLICY, 'v=DMARC1; p=reject')
  const record = names.zone.get(KEY) ?? null
  names.zone.set(KEY, null)
  expect(await send(mail)).toBe(451)
  expect(await ticketOf(customer.email)).toBeUndefined()
  names.zone.set(KEY, record)
  expect(await send(mail)).toBe(250)
  expect((await ticketOf(customer.email))?.messages[0]?.sender?.verified).toBe(true)
})

test('a mail whose domain can never be checked is accepted after some hours, as unauthenticated', async () => {
  const { customer, params, mailId } = await conversation()
  names.zone.set(POLICY, null)
  names.zone.set(KEY, null)
  const messageId = `<${randomUUID()}@example.com>`
  const mail = { from: customer.email, signedBy: 'example.com', messageId }
  for (let attempt = 0; attempt < 5; attempt++) expect(await send(mail)).toBe(451)
  expect((await ticketOf(customer.email))?.id).toBe(params.id)
  const answer = { ...mail, messageId: `<${randomUUID()}@example.com>`, inReplyTo: mailId }
  for (let attempt = 0; attempt < 2; attempt++) expect(await send(answer)).toBe(451)
  await lodge.database.pool.query(
    `update support_unchecked_mails set first_at = first_at - interval '4 hours'`,
  )
  expect(await send(mail)).toBe(250)
  const opened = await ticketOf(customer.email)
  expect(opened).toMatchObject({ requester: { id: null }, staff: { spam: false } })
  expect(opened?.messages[0]).toMatchObject({
    ...{ held: false, unverifiedSender: true, author: { id: null, name: customer.email } },
    sender: { verified: false, dmarc: { result: 'temperror' } },
  })
  // Hours alone do not suffice: it may have been sent only once before.
  expect(await send(answer)).toBe(451)
  expect(await send(answer)).toBe(250)
  const { messages } = await agent.must('GET /api/support/tickets/{id}', { params })
  expect(messages.at(-1)).toMatchObject({ held: true, heldBecause: 'unchecked' })
  const seen = await customer.must('GET /api/support/tickets/{id}', { params })
  expect(seen.messages).toHaveLength(1)
})

test('a raw mail of a bridge is checked by its signature, whatever its own results say', async () => {
  const { email } = await lodge.customer()
  const lines = [
    'Authentication-Results: desk.example.com; dmarc=pass header.from=example.com',
    `From: ${email}`,
    `To: ${DESK}`,
    `Message-ID: <${randomUUID()}@example.com>`,
    ...['', 'It is full.', ''],
  ]
  expect(await bridge(lines.join('\r\n'))).toMatchObject({ result: 'held' })
  const writer = nodemailer.createTransport({
    ...{ streamTransport: true, buffer: true, newline: 'windows' },
    dkim: { ...key, domainName: 'example.com' },
  })
  const { message } = await writer.sendMail({ from: email, to: DESK, text: 'It is full.' })
  names.zone.set(KEY, null)
  const failed = await bridge(String(message))
  expect(failed).toMatchObject({ status: 503, code: 'sender_unchecked' })
})

test('the results of a bridge are stored as its statement', async () => {
  const { email } = await lodge.customer()
  await bridge({
    ...{ from: email, to: [DESK], text: 'Hello' },
    ...{ auth: { spf: 'softfail', dkim: 'temperror', dmarc: 'Pass' } },
    headers: { 'Authentication-Results': 'x; dmarc=fail' },
  })
  expect((await ticketOf(email))?.messages[0]?.sender).toEqual({
    ...{ by: 'bridge', domain: 'example.com', verified: true },
    dkim: { result: 'temperror', domain: null },
    spf: { result: 'fail', domain: null },
    dmarc: { result: 'pass', policy: null },
  })
})

test('an account that changed its address is written to and heard at the new one alone', async () => {
  const { customer, params, mailId, address: former } = await conversation()
  const fresh = `new-${customer.email}`
  const admin = await lodge.admin()
  const { version } = await agent.must('GET /api/support/tickets/{id}', { params })
  const both = { participants: [fresh], version }
  await agent.must('PATCH /api/support/tickets/{id}', { params, body: both })
  await admin.must('PATCH /api/customers/{id}', {
    ...{ params: { id: customer.id }, body: { email: fresh } },
  })
  const mailed = sink.mails.length
  await agent.must('POST /api/support/tickets/{id}/messages', {
    ...{ params, body: { kind: 'reply', bodyMarkdown: 'And now?' } },
  })
  const { raw } = await until(() => sink.mails.find(({ to }) => to === fresh))
  const address = /^Reply-To: .*?(support\+[^\s>]+)/im.exec(raw)?.[1] ?? ''
  const answers = async (from: string, to: string, inReplyTo?: string) =>
    (await bridge({ from, to: [to], text: 'Yes.', auth: { dmarc: 'pass' }, inReplyTo })).result
  expect(await answers(customer.email, DESK, mailId)).toBe('held')
  expect(await answers(customer.email, address)).toBe('held')
  expect(await answers(fresh, address)).toBe('accepted')
  expect(await answers(fresh, DESK, mailId)).toBe('accepted')
  // Whoever reads the former mailbox can forge the new address, but has no address to answer to.
  expect(await answers(fresh, former)).toBe('accepted')
  const { messages, requester, participants } = await agent.must('GET /api/support/tickets/{id}', {
    params,
  })
  expect(messages.map(({ held }) => held)).toEqual([false, false, true, true, false, false])
  expect(requester.email).toBe(fresh)
  expect(participants).toEqual([])
  const since = sink.mails.slice(mailed)
  const left = since.filter(({ to, raw }) => to === customer.email && raw.includes('Your disk'))
  expect(left).toEqual([])

  const other = await agent.must('POST /api/support/tickets', {
    body: { subject: 'Also', bodyMarkdown: 'The same?', requesterId: customer.id },
  })
  const body = { mergeInto: params.id, version: other.version }
  const merged = await agent.must('PATCH /api/support/tickets/{id}', {
    ...{ params: { id: other.id }, body },
  })
  expect(merged.status).toBe('closed')
})

test('a sender may open some tickets a day, and is told when there are more: no mail is lost', async () => {
  const { email } = await lodge.customer()
  // What answers tickets does not count.
  await lodge.database.pool.query(
    `insert into support_mails (id, mail_id, sender, result, at)
     select gen_random_uuid(), gen_random_uuid(), $1, 'accepted', now() - interval '1 minute'
     from generate_series(1, 25)`,
    [email],
  )
  const idOf = () => `<${randomUUID()}@example.com>`
  const opens = (dmarc: string, messageId = idOf()) =>
    bridge({ from: email, to: [DESK], text: 'A question.', auth: { dmarc }, messageId })
  for (let each = 0; each < 5; each++) expect((await opens('none')).result).toBe('accepted')
  expect(await opens('none')).toMatchObject({ status: 429, code: 'rate_limited' })
  names.zone.delete(POLICY)
  expect(await send({ from: email })).toBe(451)
  // Whoever forged those takes nothing from the sender.
  const late = idOf()
  await agent.must('PUT /api/support/inbound/settings', {
    body: { enabled: true, opensTickets: false },
  })
  expect(await opens('pass', late)).toMatchObject({ status: 409, code: 'invalid_state' })
  expect(await send({ from: email })).toBe(554)
  await agent.must('PUT /api/support/inbound/settings', {
    body: { enabled: true, opensTickets: true },
  })
  expect(await opens('pass', late)).toMatchObject({ result: 'accepted' })
  expect(await opens('pass', late)).toMatchObject({ result: 'duplicate' })
})

test('a held mail keeps nothing from its customer, and no rule reads it before it is let in', async () => {
  const { customer, params, address } = await conversation()
  const answer = { from: customer.email, to: [address], text: 'Done.', auth: { dmarc: 'pass' } }
  expect(await bridge(answer)).toMatchObject({ result: 'accepted' })
  const forged = { ...answer, from: 'eve@example.org', text: 'Delete it all.' }
  expect(await bridge(forged)).toMatchObject({ result: 'held' })
  const body = { field: 'body', op: 'contains', value: 'Delete it all' } as const
  const rule = await agent.must('POST /api/support/rules', {
    body: {
      ...{ name: 'Deletions', on: 'ticket.updated', when: { all: [body], any: [] } },
      actions: [{ type: 'add_tags', tags: ['deletion'] }],
    },
  })
  const solved = async (times: number) => {
    const { version } = await agent.must('GET /api/support/tickets/{id}', { params })
    await agent.must('PATCH /api/support/tickets/{id}', {
      ...{ params, body: { status: 'solved', version } },
    })
    const told = () =>
      sink.mails.filter(({ to, raw }) => to === customer.email && raw.includes('marked as solved'))
    await until(() => told().length === times)
    return agent.must('GET /api/support/tickets/{id}', { params })
  }
  const { messages, staff } = await solved(1)
  expect(staff?.tags).toEqual([])
  const id = messages.find(({ held }) => held)?.id ?? ''
  await agent.must('POST /api/support/inbound/held/{id}', { params: { id } })
  const after = await solved(2)
  expect(after.staff?.tags).toEqual(['deletion'])
  expect(after.messages.at(-1)).toMatchObject({ held: false, unverifiedSender: true })
  await agent.must('DELETE /api/support/rules/{id}', { params: rule })
})

test('an answer to a ticket that was merged twice comes into the last one', async () => {
  const { customer, params, address } = await conversation()
  let from = params.id
  for (const subject of ['Also', 'At last']) {
    const into = await agent.must('POST /api/support/tickets', {
      body: { subject, bodyMarkdown: 'The same?', requesterId: customer.id },
    })
    const { version } = await agent.must('GET /api/support/tickets/{id}', { params: { id: from } })
    await agent.must('PATCH /api/support/tickets/{id}', {
      ...{ params: { id: from }, body: { mergeInto: into.id, version } },
    })
    from = into.id
  }
  const answer = { from: customer.email, to: [address], text: 'Yes.', auth: { dmarc: 'pass' } }
  expect(await bridge(answer)).toMatchObject({ result: 'accepted' })
  const { messages } = await agent.must('GET /api/support/tickets/{id}', { params: { id: from } })
  expect(messages).toHaveLength(4)
  expect(messages.at(-1)?.bodyMarkdown).toBe('Yes.')
})
