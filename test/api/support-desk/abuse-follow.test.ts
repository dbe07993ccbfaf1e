import { MAX_ADDITIONS } from '@lodge/shared/support/abuse.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { tokenOf } from '../support/report-link.ts'

let lodge: Lodge
let agent: Caller

beforeAll(async () => {
  lodge = await startLodge()
  await lodge.admin()
  agent = await lodge.limitedAdmin(['support.view', 'support.reply', 'support.settings'])
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

let networks = 0
const report = (more: object = {}) =>
  lodge.anonymous({ address: `198.18.7.${++networks}` }).call('POST /api/support/abuse', {
    body: {
      ...{ type: 'spam' as const, target: `192.0.2.${networks}:25` },
      description: 'This server sends mails that nobody asked for.',
      ...more,
    },
  })
const sent = async (more: object = {}) => {
  const { status, body } = await report(more)
  expect(status).toBe(200)
  const { reference, statusUrl } = body as { reference: string; statusUrl: string }
  return { reference, token: tokenOf(statusUrl), ticket: await ticketOf(reference) }
}
const ticketOf = async (reference: string) => {
  const { items } = await agent.must('GET /api/support/tickets', {
    query: { view: 'all', q: reference },
  })
  return agent.must('GET /api/support/tickets/{id}', { params: { id: items[0]?.id ?? '' } })
}
const set = async (id: string, status: 'solved' | 'closed') => {
  const { version } = await agent.must('GET /api/support/tickets/{id}', { params: { id } })
  await agent.must('PATCH /api/support/tickets/{id}', {
    ...{ params: { id }, body: { version, status } },
  })
}
const anybody = () => lodge.anonymous({ address: `198.18.8.${++networks}` })
const statusOf = (token: string) =>
  anybody().call('POST /api/support/abuse/status', { body: { token } })
const add = (token: string, text: string) =>
  anybody().call('POST /api/support/abuse/additions', { body: { token, text } })

test('agents see the time of the incident in UTC, whatever time zone it was entered in', async () => {
  const at = new Date(Date.now() - 3_600_000)
  const inKolkata = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')
  const { ticket } = await sent({ occurredAt: inKolkata })
  const utc = at.toISOString().slice(0, 16).replace('T', ' ')
  expect(ticket.messages[0]?.bodyMarkdown).toContain(`Happened: ${utc} UTC`)
  const { ticket: without } = await sent()
  expect(without.messages[0]?.bodyMarkdown).not.toContain('Happened')
})

test('a time that is invalid, in the future or more than a year ago is refused at its field', async () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  for (const occurredAt of ['yesterday', '2026-01-31T12:00', inHours(1), inHours(-366 * 24)])
    expect(await report({ occurredAt })).toMatchObject({
      ...{ status: 400, body: { errors: [{ pointer: '/occurredAt' }] } },
    })
  expect((await report({ occurredAt: inHours(-364 * 24) })).status).toBe(200)
})

test('a link shows the status of a report and its answers, but neither its contents nor notes', async () => {
  const { reference, token, ticket } = await sent({ reporterEmail: 'ann@example.org' })
  const { body } = await statusOf(token)
  expect(body).toEqual({
    ...{ reference, status: 'received', additions: 0, answers: [] },
    ...{ receivedAt: ticket.createdAt, since: ticket.createdAt, expiresAt: expect.any(String) },
  })
  const write = (kind: 'note' | 'reply', bodyMarkdown: string) =>
    agent.must('POST /api/support/tickets/{id}/messages', {
      ...{ params: { id: ticket.id }, body: { kind, bodyMarkdown } },
    })
  await write('note', 'It is the one from last week.')
  await write('reply', 'Thank **you**.')
  const looked = await statusOf(token)
  expect(looked.body).toMatchObject({
    ...{ status: 'in_progress', answers: [{ text: 'Thank you.' }] },
  })
  expect(JSON.stringify(looked.body)).not.toMatch(/192\.0\.2|last week|mails that nobody/)
  await set(ticket.id, 'solved')
  expect((await statusOf(token)).body).toMatchObject({ status: 'closed' })
})

test('additions enter the ticket as an unverified reply, and open another ticket once it is closed', async () => {
  const { token, ticket } = await sent()
  expect((await add(token, 'It goes on.')).body).toMatchObject({ additions: 1 })
  const more = await agent.must('GET /api/support/tickets/{id}', { params: { id: ticket.id } })
  expect(more.messages.at(-1)).toMatchObject({
    ...{ kind: 'reply', bodyMarkdown: 'It goes on.', unverifiedSender: true },
    author: { kind: 'customer', id: null, name: null },
  })
  await set(ticket.id, 'solved')
  await set(ticket.id, 'closed')
  expect((await statusOf(token)).body).toMatchObject({ status: 'closed' })
  expect((await add(token, 'And on.')).body).toMatchObject({ additions: 2, status: 'received' })
  const { items } = await agent.must('GET /api/support/tickets', { query: { view: 'all' } })
  const later = items.find(({ followUpOf }) => followUpOf === ticket.id)
  expect(later).toMatchObject({ requester: { id: null, email: '' } })
})

test('a report without an address gets no mail, and its answers are read by its link', async () => {
  const { token, ticket } = await sent()
  expect(ticket.requester).toEqual({ id: null, email: '', name: null })
  await agent.must('POST /api/support/tickets/{id}/messages', {
    params: { id: ticket.id },
    body: { kind: 'reply', bodyMarkdown: 'Which mails were it?' },
  })
  expect((await statusOf(token)).body).toMatchObject({
    answers: [{ text: 'Which mails were it?' }],
  })
  const { rows } = await lodge.database.pool.query(
    `select to_address from email_messages where to_address not like '%@%'`,
  )
  expect(rows).toEqual([])
})

test('links are stored as hashes, guessed and expired ones are refused alike, and additions are limited', async () => {
  const { token, reference } = await sent()
  const { rows } = await lodge.database.pool.query<{ row: string }>(
    'select l::text as row from support_report_links l',
  )
  expect(rows.some(({ row }) => row.includes(reference))).toBe(true)
  expect(rows.some(({ row }) => row.includes(token))).toBe(false)
  const alter = (change: string) =>
    lodge.database.pool.query(`update support_report_links set ${change} where reference = $1`, [
      reference,
    ])
  await alter(`additions = ${MAX_ADDITIONS}`)
  expect(await add(token, 'Too much.')).toMatchObject({
    ...{ status: 409, body: { code: 'invalid_state' } },
  })
  await alter(`expires_at = now() - interval '1 second'`)
  const plain = ({ body }: { body: object }) => ({ ...body, instance: '' })
  const refused = [await statusOf(token), await statusOf(`${token.slice(0, -2)}xx`)]
  expect(refused.map(plain)[0]).toEqual(refused.map(plain)[1])
  for (const one of [...refused, await add(token, 'Late.')])
    expect(one).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
})

test('no concurrent addition is lost, and viewing is limited for each network', async () => {
  const { token, ticket } = await sent()
  const all = await Promise.all(['One', 'Two', 'Three', 'Four'].map((text) => add(token, text)))
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await statusOf(token)).body).toMatchObject({ additions: 4 })
  const { messages } = await agent.must('GET /api/support/tickets/{id}', {
    params: { id: ticket.id },
  })
  expect(messages.filter(({ kind }) => kind === 'reply')).toHaveLength(5)
  const one = lodge.anonymous({ address: '198.18.9.1' })
  const statuses = []
  for (let each = 0; each < 40; each++)
    statuses.push((await one.call('POST /api/support/abuse/status', { body: { token } })).status)
  expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200))
  expect(statuses.at(-1)).toBe(429)
})
