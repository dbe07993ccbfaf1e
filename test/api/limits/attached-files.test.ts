import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ownFilesOfMails } from '../../../control-plane/src/domains/support/inbound/ownerless.ts'
import type { Caller } from '../../support/caller.ts'
import { bringMail } from '../../support/mail-bridge.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { DESK, type MailStage, openMailStage } from '../support-desk/mail-stage.ts'

const KIB = 1024
const MIB = 1024 * KIB

let stage: MailStage
let lodge: Lodge
let beside: Lodge
let admin: Caller
beforeAll(async () => {
  stage = await openMailStage()
  lodge = stage.lodge
  beside = await lodge.beside()
  admin = await lodge.admin()
})
afterAll(async () => {
  await beside?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

const quota = (owner: Caller, maxAttachedFilesMb: number | 'unlimited' | null) =>
  admin.must('PATCH /api/customers/{id}', {
    params: { id: owner.id },
    body: { quota: { maxAttachedFilesMb } },
  })
const there = (caller: Caller) => beside.anonymous({ cookie: caller.cookie ?? '' })

/** Uploads a text of so many bytes for a ticket. */
async function upload(caller: Caller, sizeBytes: number) {
  const response = await caller.send({
    method: 'POST',
    url: '/api/support/tickets/new/attachments?name=server.log',
    headers: { 'content-type': 'application/octet-stream' },
    payload: Buffer.alloc(sizeBytes, 'a'),
  })
  return { status: response.statusCode, body: response.json() }
}
const shown = async (owner: Caller) =>
  (await owner.must('GET /api/limits/me')).limits.find(({ key }) => key === 'maxAttachedFilesMb')
const bytesOf = async (owner: Caller) => {
  const { rows } = await lodge.database.pool.query(
    'select coalesce(sum(size_bytes), 0)::int as bytes from attachments where uploader_id = $1',
    [owner.id],
  )
  return rows[0]?.bytes as number
}

test('C4 CVE-2025-69198: forty concurrent uploads on two control planes get exactly what the limit allows', async () => {
  const owner = await lodge.customer()
  await quota(owner, 3)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => upload(at % 2 ? there(owner) : owner, MIB)),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'limit_exceeded',
        detail:
          'This would exceed the limit of 3 MiB of attached files (3 in use, 1 requested): send a smaller file, or ask your host for a higher limit',
        limit: { name: 'maxAttachedFilesMb', max: 3 },
      },
    })
  expect(await bytesOf(owner)).toBe(3 * MIB)
})

test('two concurrent uploads do not both take the last byte, and one that fits exactly is accepted', async () => {
  const owner = await lodge.customer()
  await quota(owner, 1)
  const most = MIB / 2
  const answers = await Promise.all([upload(owner, most + 1), upload(there(owner), most + 1)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(await upload(owner, most)).toMatchObject({ status: 409 })
  expect(await upload(owner, most - 1)).toMatchObject({ status: 201 })
  expect(await bytesOf(owner)).toBe(MIB)
  expect(await upload(owner, 1)).toMatchObject({ status: 409 })
})

test('files count until their ticket is deleted, and those of administrators do not', async () => {
  const owner = await lodge.customer()
  await quota(owner, 1)
  const { body } = await upload(owner, MIB)
  const { id } = await owner.must('POST /api/support/tickets', {
    body: { subject: 'Its log', bodyMarkdown: 'All of it.', attachments: [body.id] },
  })
  expect(await shown(owner)).toMatchObject({ value: 1, used: 1, remaining: 0, over: false })
  expect(await upload(owner, 1)).toMatchObject({ status: 409 })
  await admin.must('DELETE /api/support/tickets/{id}', { params: { id } })
  expect(await shown(owner)).toMatchObject({ used: 0, remaining: 1 })
  expect(await upload(owner, 1)).toMatchObject({ status: 201 })
  expect(await shown(owner)).toMatchObject({ used: 1 })

  await admin.must('PUT /api/limits/defaults', { body: { maxAttachedFilesMb: 0 } })
  expect(await upload(await lodge.customer(), 1)).toMatchObject({ status: 409 })
  expect(await upload(admin, 1)).toMatchObject({ status: 201 })
  await admin.must('PUT /api/limits/defaults', { body: {} })
})

test('it is 2 GiB unless the host sets another, also in earlier defaults, and null means unlimited', async () => {
  const owner = await lodge.customer()
  const byDefault = { value: 2048, origin: { label: 'default' } }
  expect(await shown(owner)).toMatchObject(byDefault)
  await lodge.database.pool.query(
    `insert into settings (area, value) values ('limit_defaults', '{"maxServers":7}')
     on conflict (area) do update set value = excluded.value`,
  )
  expect(await shown(owner)).toMatchObject(byDefault)
  const saved = await admin.must('PUT /api/limits/defaults', { body: { maxServers: 7 } })
  expect(saved).toEqual({ maxServers: 7, maxAttachedFilesMb: 2048 })
  await admin.must('PUT /api/limits/defaults', { body: { maxAttachedFilesMb: null } })
  expect(await shown(owner)).toMatchObject({ value: 'unlimited' })
  await admin.must('PUT /api/limits/defaults', { body: {} })
  expect(await shown(owner)).toMatchObject(byDefault)
})

test('a customer without servers is warned before the limit is reached', async () => {
  const owner = await lodge.customer()
  await quota(owner, 1)
  await upload(owner, MIB)
  const { title, body } = await until(async () => {
    const { items } = await owner.must('GET /api/notifications')
    return items.find(({ type }) => type === 'limit.warning')
  })
  expect({ title, body }).toEqual({
    title: 'You have reached a limit',
    body: 'You use 1 of 1 MiB of attached files.',
  })
})

/** Sends a mail to the desk with text files of these sizes. @returns the message created from it */
async function bring(from: string, sizes: Readonly<Record<string, number>>) {
  const messageId = `<${randomUUID()}@mail.example.org>`
  const answer = await bringMail(lodge.url, stage.secret, {
    ...{ messageId, from, to: [DESK], subject: 'My log', text: 'It stopped.' },
    auth: { dmarc: 'pass' },
    attachments: Object.entries(sizes).map(([name, bytes]) => ({
      ...{ name, type: 'text/plain', base64: Buffer.alloc(bytes, name).toString('base64') },
    })),
  })
  expect(answer).toEqual({ status: 200, result: 'accepted' })
  const { rows } = await lodge.database.pool.query(
    'select ticket_id as "ticketId" from support_messages where mail_id = $1',
    [messageId],
  )
  const { messages } = await stage.agent.must('GET /api/support/tickets/{id}', {
    params: { id: rows[0]?.ticketId },
  })
  return {
    body: messages[0]?.bodyMarkdown,
    files: messages[0]?.attachments.map(({ name }) => name),
  }
}

test('files of a mail count towards its sender’s limit, and those that exceed it are dropped', async () => {
  const owner = await lodge.customer()
  await quota(owner, 1)
  const sizes = { 'first.log': 600 * KIB, 'second.log': 600 * KIB, 'third.log': 400 * KIB }
  expect(await bring(owner.email, sizes)).toEqual({
    body: 'It stopped.\n\n_Left out, because the account has no room for more files: second.log_',
    files: ['first.log', 'third.log'],
  })
  expect(await bytesOf(owner)).toBe(1000 * KIB)
  expect(await upload(owner, 100 * KIB)).toMatchObject({ status: 409 })
  expect(await bring(`${randomUUID()}@example.org`, sizes)).toEqual({
    body: 'It stopped.',
    files: Object.keys(sizes),
  })
})

test('files of mails from before the limit count for the verified sender', async () => {
  const owner = await lodge.customer()
  await quota(owner, 1)
  await bring(owner.email, { 'first.log': 600 * KIB, 'second.log': 300 * KIB })
  const stranger = `${randomUUID()}.log`
  await bring(`${randomUUID()}@example.org`, { [stranger]: KIB })
  await lodge.database.pool.query(
    'update attachments set uploader_id = null where uploader_id = $1',
    [owner.id],
  )
  expect(await bytesOf(owner)).toBe(0)
  const { services } = lodge.controlPlane
  expect((await ownFilesOfMails.run(services)).owned).toBeGreaterThanOrEqual(2)
  expect(await bytesOf(owner)).toBe(900 * KIB)
  expect(await upload(owner, 200 * KIB)).toMatchObject({ status: 409 })
  expect(await ownFilesOfMails.run(services)).toEqual({ owned: 0 })
  const { rows } = await lodge.database.pool.query(
    'select uploader_id as "ownerId" from attachments where name = $1',
    [stranger],
  )
  expect(rows).toEqual([{ ownerId: null }])
})

test('dropped files of a mail are listed in its sender’s language', async () => {
  const owner = await lodge.customer()
  await quota(owner, 0)
  await owner.must('PUT /api/auth/preferences', { body: { mode: null, language: 'de' } })
  expect(await bring(owner.email, { 'server.log': 1 })).toEqual({
    body: 'It stopped.\n\n_Weggelassen, weil das Konto keinen Platz für weitere Dateien hat: server.log_',
    files: [],
  })
})

test('a mail and concurrent uploads do not exceed the limit', async () => {
  const owner = await lodge.customer()
  await quota(owner, 2)
  await Promise.all([
    ...Array.from({ length: 3 }, () => bring(owner.email, { 'mail.log': 700 * KIB })),
    ...Array.from({ length: 6 }, (_, at) => upload(at % 2 ? there(owner) : owner, 700 * KIB)),
  ])
  expect(await bytesOf(owner)).toBe(2 * 700 * KIB)
})
