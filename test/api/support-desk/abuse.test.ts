import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesOfReceipts } from '../../../control-plane/src/domains/support/abuse/evidence.ts'
import type { Caller } from '../../support/caller.ts'
import { mailsTo } from '../../support/mailbox.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let agent: Caller

beforeAll(async () => {
  lodge = await startLodge()
  await lodge.admin()
  agent = await lodge.limitedAdmin(['support.view', 'support.reply', 'support.settings'])
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

const report = (target: string, more: object = {}) => ({
  ...{ type: 'phishing' as const, target, reporterEmail: 'ann@example.org' },
  description: 'This server shows a page that asks for passwords of a bank.',
  ...more,
})
const send = (body: ReturnType<typeof report>, address = '198.51.100.1') =>
  lodge.anonymous({ address }).call('POST /api/support/abuse', { body })
const ticketAbout = async (target: string) => {
  const { items } = await agent.must('GET /api/support/tickets', {
    query: { view: 'all', limit: 100 },
  })
  const found = items.find(({ subject }) => subject.endsWith(target))
  return agent.must('GET /api/support/tickets/{id}', { params: { id: found?.id ?? '' } })
}

test('a report opens a ticket and gets the same response, whatever it is about', async () => {
  const owner = await lodge.customer()
  const node = await lodge.node()
  await lodge.database.pool.query('update nodes set address = $2 where id = $1', [
    node.id,
    '203.0.113.9',
  ])
  const { id: templateId } = await lodge.template()
  const id = await lodge.server({ ownerId: owner.id, templateId, nodeId: node.id, start: false })
  const { rows } = await lodge.database.pool.query<{ host_port: number }>(
    'select host_port from server_ports where server_id = $1',
    [id],
  )
  const ours = `http://203.0.113.9:${rows[0]?.host_port}/login`
  const answers = [await send(report(ours)), await send(report('192.0.2.1:9'))]
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(body).toEqual({
      reference: expect.stringMatching(/^AB-[0-9A-F]{10}$/),
      statusUrl: expect.stringMatching(/^http.*\/abuse\/status#token=[\w-]{43}$/),
    })
  }
  const ticket = await ticketAbout(ours)
  expect(ticket).toMatchObject({ priority: 'urgent', source: 'abuse', serverId: id })
  expect(ticket.staff?.tags).toEqual(['abuse', 'phishing'])
  const [first, note] = ticket.messages
  expect(first?.bodyMarkdown).toContain(
    (answers[0]?.body as { reference: string } | undefined)?.reference ?? '?',
  )
  expect(note).toMatchObject({ kind: 'note', bodyMarkdown: expect.stringContaining(owner.email) })
  const other = await ticketAbout('192.0.2.1:9')
  expect(other).toMatchObject({ serverId: null })
  expect(
    (await owner.call('GET /api/support/tickets/{id}', { params: { id: ticket.id } })).status,
  ).toBe(404)
})

test('a report is confirmed to the address that it states, in the same words, and at most once a day', async () => {
  const to = `reporter-${randomUUID()}@example.org`
  const from = (address: string) => `198.51.100.${address}`
  const said = (text: string | undefined, reference: string) =>
    text
      ?.replaceAll(reference, '…')
      .replaceAll(/token=[\w-]+/g, 'token=…')
      // The minute of the link's expiry may differ between the two.
      .replaceAll(/\d{1,2}:\d{2}/g, '…')
  const { rows } = await lodge.database.pool.query('select address from nodes where address = $1', [
    '203.0.113.9',
  ])
  expect(rows).toHaveLength(1)
  const first = await send(report('http://203.0.113.9/login', { reporterEmail: to }), from('21'))
  for (const again of [to, to.toUpperCase(), to.replace('@', '+more@')])
    await send(report('192.0.2.1:9', { reporterEmail: again }), from('22'))
  const elsewhere = `reporter-${randomUUID()}@example.org`
  const second = await send(report('192.0.2.1:9', { reporterEmail: elsewhere }), from('23'))
  const [mail, ...more] = await mailsTo(lodge, to)
  expect(more).toEqual([])
  expect(await mailsTo(lodge, to.replace('@', '+more@'))).toEqual([])
  const [other] = await mailsTo(lodge, elsewhere)
  expect([mail?.template, other?.template]).toEqual(['abuse_received', 'abuse_received'])
  const [one, two] = [first, second].map(({ body }) => (body as { reference: string }).reference)
  expect(mail?.text).toContain(one)
  // The same link that the page shows.
  expect(mail?.text).toContain((first.body as { statusUrl: string }).statusUrl)
  expect(said(mail?.text, one ?? '')).toBe(said(other?.text, two ?? ''))
  expect(`${mail?.subject}${mail?.text}`).not.toMatch(/203\.0\.113|phishing|asks for passwords/)
  // Solving many such reports in bulk sends no mail to strangers either.
  const { id, version } = await ticketAbout('http://203.0.113.9/login')
  await agent.must('PATCH /api/support/tickets/{id}', {
    params: { id },
    body: { version, status: 'solved' },
  })
  expect(await mailsTo(lodge, to)).toHaveLength(1)
})

const upload = async (name: string, bytes: string | Buffer, address: string) => {
  const { statusCode, body } = await lodge.anonymous({ address }).send({
    ...{ method: 'POST', url: `/api/support/abuse/evidence?${new URLSearchParams({ name })}` },
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.from(bytes as string),
  })
  return { status: statusCode, ...(JSON.parse(body) as { receipt: string; code?: string }) }
}

test('files of a report are stored once, and only staff can download them, without a preview', async () => {
  const address = '198.51.100.5'
  const script = '<html><script>alert(1)</script></html>'
  const [page, same, log] = [
    await upload('page.html', script, address),
    await upload('again.txt', script, address),
    await upload('access.log', 'GET /login 200', address),
  ]
  const evidence = [page, same, log].map(({ receipt }) => receipt)
  expect((await send(report('192.0.2.20', { evidence }), address)).status).toBe(200)
  const ticket = await ticketAbout('192.0.2.20')
  const [first] = ticket.messages
  expect(first?.attachments).toMatchObject([
    { name: 'page.html', type: 'text/plain', sizeBytes: script.length },
    { name: 'access.log', type: 'text/plain' },
  ])
  const params = { id: ticket.id, attachmentId: first?.attachments[0]?.id ?? '' }
  const url = `/api/support/tickets/${ticket.id}/attachments/${params.attachmentId}`
  const read = await agent.send({ method: 'GET', url })
  expect(read.body).toBe(script)
  expect(read.headers).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment/),
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
  expect((await (await lodge.customer()).send({ method: 'GET', url })).statusCode).toBe(404)
  expect((await lodge.anonymous().send({ method: 'GET', url })).statusCode).toBe(401)
})

test('hostile files are refused, and unknown or expired receipts name no file', async () => {
  const address = '198.51.100.6'
  const refused = [
    await upload('tool.txt', Buffer.from('MZ\x90\x00\x03\x00\x00\x00'), address),
    await upload('photo.png', '\x00\x00\x00', address),
    await upload('empty.txt', '', address),
    await upload('x'.repeat(121), 'text', address),
    await upload('a/../../etc/passwd', 'text', address),
    await upload('large.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'), address),
  ]
  expect(refused.map(({ status }) => status)).toEqual([415, 415, 415, 400, 400, 413])
  const bomb = await upload('bomb.gz', Buffer.from('\x1f\x8b\x08bomb', 'latin1'), address)
  expect(bomb.status).toBe(201)
  const changed = Buffer.from(bomb.receipt, 'base64url')
  changed[40] = (changed[40] ?? 0) ^ 1
  const { vault } = lodge.controlPlane.services
  const forged = vault.seal('{"sha256":"00"}', { table: 'a', id: 'b', column: 'c' })
  for (const receipt of [changed.toString('base64url'), forged.toString('base64url'), 'x', ''])
    expect(await send(report('192.0.2.21', { evidence: [receipt] }), address)).toMatchObject({
      ...{ status: 400, body: { errors: [{ pointer: '/evidence/0' }] } },
    })
  // Nothing of refused reports is left, and a receipt is valid for the corrected report.
  const elsewhere = '198.51.100.8'
  expect((await send(report('192.0.2.22', { evidence: [bomb.receipt] }), elsewhere)).status).toBe(
    200,
  )
  const four = Array.from({ length: 4 }, () => bomb.receipt)
  expect((await send(report('192.0.2.23', { evidence: four }), elsewhere)).status).toBe(400)
  const { items } = await agent.must('GET /api/support/tickets', { query: { view: 'all' } })
  expect(items.filter(({ subject }) => /192\.0\.2\.2[13]$/.test(subject))).toEqual([])

  const later = new Date(Date.now() + 21 * 3_600_000)
  expect(filesOfReceipts({ vault, now: new Date() }, [bomb.receipt])).toHaveLength(1)
  expect(() => filesOfReceipts({ vault, now: later }, [bomb.receipt])).toThrow(/upload it again/)
})

test('files of reports are limited in total, and reports beyond that arrive without them', async () => {
  const { pool } = lodge.database
  await pool.query(`insert into rate_limits values ('strangersFiles:all', now() + interval '1 day')
    on conflict (key) do update set full_at = excluded.full_at`)
  const address = '198.51.100.9'
  try {
    expect(await upload('one.txt', 'text', address)).toMatchObject({
      ...{ status: 429, code: 'rate_limited' },
    })
    expect((await send(report('192.0.2.25'), address)).status).toBe(200)
  } finally {
    await pool.query(`delete from rate_limits where key = 'strangersFiles:all'`)
  }
  const statuses = []
  for (let each = 0; each < 16; each++) statuses.push((await upload('a', 'a', address)).status)
  expect(statuses).toEqual([...Array.from({ length: 14 }, () => 201), 429, 429])
})

test('reports are assigned to the configured group, which must exist', async () => {
  const { id: groupId } = await agent.must('POST /api/support/groups', {
    body: { name: 'Abuse', memberIds: [] },
  })
  const set = (groupId: string | null) =>
    agent.call('PUT /api/support/abuse/settings', { body: { enabled: true, groupId } })
  expect(await set(randomUUID())).toMatchObject({
    ...{ status: 400, body: { errors: [{ pointer: '/groupId', detail: 'is no group' }] } },
  })
  expect((await set(groupId)).status).toBe(200)
  await send(report('192.0.2.30'), '198.51.100.10')
  expect((await ticketAbout('192.0.2.30')).staff?.groupId).toBe(groupId)
  // As a former version may have saved it.
  await lodge.database.pool.query(
    `update settings set value = jsonb_set(value::jsonb, '{groupId}', to_jsonb($1::text)) where area = 'abuse_reports'`,
    [randomUUID()],
  )
  expect((await send(report('192.0.2.31'), '198.51.100.10')).status).toBe(200)
  expect((await ticketAbout('192.0.2.31')).staff?.groupId).toBe(null)
})

test('the former address of the form redirects to the current one', async () => {
  const { statusCode, headers } = await lodge
    .anonymous()
    .send({ method: 'GET', url: '/report-abuse' })
  expect([statusCode, headers.location]).toEqual([301, '/abuse'])
})

test('reports are limited for each network, and refused while they are off', async () => {
  const address = '198.51.100.2'
  const statuses = []
  for (let each = 0; each < 7; each++)
    statuses.push((await send(report('192.0.2.2'), address)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
  const config = () => lodge.anonymous().must('GET /api/support/abuse/config')
  expect(await config()).toMatchObject({ enabled: true, captcha: { provider: 'off' } })
  await agent.must('PUT /api/support/abuse/settings', { body: { enabled: false, groupId: null } })
  expect(await config()).toMatchObject({ enabled: false })
})

test('while reports are off, the form, its former address and its endpoints are not found', async () => {
  const set = (enabled: boolean) =>
    agent.must('PUT /api/support/abuse/settings', { body: { enabled, groupId: null } })
  const anybody = lodge.anonymous({ address: '198.51.100.3' })
  const page = async (url: string) => (await anybody.send({ method: 'GET', url })).statusCode
  await set(false)
  const nothing = await anybody.send({ method: 'POST', url: '/api/support/abuses', payload: '{' })
  const plain = (body: string) => ({ ...JSON.parse(body), instance: '' })
  for (const url of [
    '/api/support/abuse',
    '/api/support/abuse/evidence?name=a.txt',
    '/api/support/abuse/evidence',
  ])
    for (const payload of ['{', '{}', JSON.stringify(report('192.0.2.3'))]) {
      const { statusCode, body } = await anybody.send({
        ...{ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } },
      })
      expect(statusCode).toBe(404)
      expect(plain(body)).toEqual(plain(nothing.body))
    }
  expect(await Promise.all(['/abuse', '/report-abuse'].map(page))).toEqual([404, 404])
  await set(true)
  expect((await send(report('192.0.2.3'), '198.51.100.3')).status).toBe(200)
  expect(await page('/report-abuse')).toBe(301)
  for (const wrong of [{ type: 'x' }, { description: 'short' }, { reporterEmail: 'a' }])
    expect((await send(report('192.0.2.4', wrong), '198.51.100.4')).status).toBe(400)
})
