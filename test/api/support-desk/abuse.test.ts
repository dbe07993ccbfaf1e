import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
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

test('a report opens a ticket and is answered alike, whatever it is about', async () => {
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
    expect(body).toEqual({ reference: expect.stringMatching(/^AB-[0-9A-F]{10}$/) })
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

test('reports are few for each network, and none while they are off', async () => {
  const address = '198.51.100.2'
  const statuses = []
  for (let each = 0; each < 7; each++)
    statuses.push((await send(report('192.0.2.2'), address)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
  const config = () => lodge.anonymous().must('GET /api/support/abuse/config')
  expect(await config()).toMatchObject({ enabled: true, captcha: { provider: 'off' } })
  await agent.must('PUT /api/support/abuse/settings', { body: { enabled: false, groupId: null } })
  expect(await config()).toMatchObject({ enabled: false })
  expect((await send(report('192.0.2.3'), '198.51.100.3')).status).toBe(404)
  for (const wrong of [{ type: 'x' }, { description: 'short' }, { reporterEmail: 'a' }])
    expect((await send(report('192.0.2.4', wrong), '198.51.100.4')).status).toBe(400)
})
