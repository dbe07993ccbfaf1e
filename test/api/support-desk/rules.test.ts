import type { ChangeRule, Rule, RuleAction } from '@lodge/shared/support/rules/rule.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { isSigned, Receiver } from '../notifications/receiver.ts'

let lodge: Lodge
let receiver: Receiver
let lead: Caller
let arranger: Caller
let customer: Caller

beforeAll(async () => {
  receiver = await new Receiver().listen()
  lodge = await startLodge({ environment: { LODGE_CHANNEL_HOSTS: receiver.host } })
  lead = await lodge.limitedAdmin([
    ...(['support.view', 'support.reply', 'support.assign', 'support.settings'] as const),
  ])
  arranger = await lodge.limitedAdmin(['support.settings'])
  customer = await lodge.customer()
})
afterAll(async () => {
  await lodge?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})
afterEach(async () => {
  await lodge.database.pool.query('delete from support_rules')
})

type Given = Partial<Pick<Rule, 'on' | 'when' | 'stop' | 'idleMinutes'>>
const made = (name: string, actions: RuleAction[], given: Given = {}): Promise<Rule> =>
  lead.must('POST /api/support/rules', {
    body: { ...{ name, on: 'ticket.created', when: { all: [], any: [] } }, ...given, actions },
  })
const changed = (id: string, body: ChangeRule) =>
  lead.must('PUT /api/support/rules/{id}', { params: { id }, body })
const names = async () => (await lead.must('GET /api/support/rules')).items.map(({ name }) => name)
const seen = (id: string) => lead.must('GET /api/support/tickets/{id}', { params: { id } })

async function opened(subject: string) {
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject, bodyMarkdown: 'It is *slow*.' },
  })
  return seen(id)
}
const tag = (...tags: string[]): RuleAction => ({ type: 'add_tags', tags })
/** The changes that rules made to a ticket, by the names of the rules. */
const byRules = ({ events }: Awaited<ReturnType<typeof seen>>) =>
  (events ?? []).flatMap(({ actor, change }) =>
    actor.kind === 'rule' && 'rule' in change ? [actor.name] : [],
  )

test('rules run on new tickets in their order, each once, and are recorded in the history', async () => {
  const { id: groupId } = await lead.must('POST /api/support/groups', {
    body: { name: 'Hardware', memberIds: [lead.id], assignment: 'round_robin' },
  })
  const slow = { field: 'subject', op: 'contains', value: 'SLOW' } as const
  const first = await made(
    'Slow servers',
    [
      ...([tag('slow'), { type: 'set_priority', priority: 'high' }] as const),
      ...([{ type: 'set_group', groupId }] as const),
      { type: 'reply', text: 'Hello {customer}, **{number}** is here: {subject}' },
    ],
    { when: { all: [slow], any: [] } },
  )
  const isHigh = { field: 'priority', op: 'eq', value: 'high' } as const
  await made('Sees the one before', [tag('second')], { when: { all: [isHigh], any: [] } })
  await made('Ends it', [tag('third')], { stop: true })
  await made('Never comes', [tag('fourth')])

  const ticket = await opened('Server is slow *today*')
  expect(ticket).toMatchObject({ priority: 'high', status: 'open' })
  expect(ticket.staff).toMatchObject({ groupId, assignee: { id: lead.id } })
  expect([...(ticket.staff?.tags ?? [])].sort()).toEqual(['second', 'slow', 'third'])
  expect(byRules(ticket)).toEqual(['Slow servers', 'Sees the one before', 'Ends it'])
  const [, reply] = ticket.messages
  expect(reply).toMatchObject({ kind: 'reply', author: { kind: 'system' } })
  expect(reply?.bodyMarkdown).toContain(String.raw`is here: Server is slow \*today\*`)
  // The customer sees the answer too, and gets it by mail, marked as automatic.
  const own = await customer.must('GET /api/support/tickets/{id}', { params: { id: ticket.id } })
  expect(own.messages).toHaveLength(2)
  const { rows } = await lodge.database.pool.query(
    `select conversation->>'isAnswer' as answer from email_messages where template = 'ticket_reply'`,
  )
  expect(rows).toEqual([{ answer: 'false' }])

  const params = { id: first.id }
  expect(await lead.must('GET /api/support/rules/{id}/runs', { params })).toMatchObject({
    items: [
      {
        ticket: { id: ticket.id, subject: 'Server is slow *today*' },
        does: ['add_tags', 'set_priority', 'set_group', 'reply'],
      },
    ],
  })
  expect((await lead.must('GET /api/support/rules')).items[0]?.lastRanAt).not.toBeNull()
  expect((await opened('Another question')).staff?.tags).toEqual(['third'])
})

test('rules never trigger rules, however they are configured', async () => {
  const flip = (from: 'high' | 'low', to: 'high' | 'low') =>
    made(
      `to ${to}`,
      [
        { type: 'set_priority', priority: to },
        { type: 'note', text: 'Flipped' },
      ],
      {
        on: 'ticket.updated',
        when: { all: [{ field: 'priority', op: 'eq', value: from }], any: [] },
      },
    )
  await flip('high', 'low')
  await flip('low', 'high')
  await made('answers answers', [{ type: 'reply', text: 'Again' }], { on: 'ticket.agent_reply' })
  const { id, version } = await opened('Loops')
  await lead.must('PATCH /api/support/tickets/{id}', {
    params: { id },
    body: { version, priority: 'high' },
  })
  const flipped = await seen(id)
  expect(byRules(flipped)).toEqual(['to low', 'to high'])
  expect(flipped.messages).toHaveLength(3)
  await lead.must('POST /api/support/tickets/{id}/messages', {
    params: { id },
    body: { kind: 'reply', bodyMarkdown: 'Restart it.' },
  })
  const answered = await seen(id)
  expect(byRules(answered)).toEqual(['to low', 'to high', 'answers answers'])
  // An answer of a rule does not count as an answer of an agent.
  expect(answered.messages).toHaveLength(5)
})

test('a rule can check what an event changed, and a full ticket blocks nobody', async () => {
  const full = Array.from({ length: 10 }, (_, at) => `tag-${at}`)
  await made('Ten', [tag(...full)])
  await made('Ten more', [tag(...full.map((one) => `x${one}`)), tag('one-too-many')])
  await made('Solved', [tag('tag-0'), { type: 'remove_tags', tags: ['tag-1'] }], {
    on: 'ticket.updated',
    when: { all: [{ field: 'status', op: 'changedTo', value: 'solved' }], any: [] },
  })
  const { id, version, staff } = await opened('Full')
  expect(staff?.tags).toHaveLength(20)
  const edit = (body: { version: number; priority?: 'low'; status?: 'solved' }) =>
    lead.must('PATCH /api/support/tickets/{id}', { params: { id }, body })
  const { version: next } = await edit({ version, priority: 'low' })
  expect((await seen(id)).staff?.tags).toHaveLength(20)
  await edit({ version: next, status: 'solved' })
  expect((await seen(id)).staff?.tags).not.toContain('tag-1')
})

test('rules are moved, changed, switched off and deleted', async () => {
  const ids = []
  for (const name of ['a', 'b', 'c']) ids.push((await made(name, [tag(name)], { stop: true })).id)
  const [, b = '', c = ''] = ids
  expect(await changed(c, { position: 0 })).toMatchObject({ name: 'c', position: 0, stop: true })
  expect(await names()).toEqual(['c', 'a', 'b'])
  expect((await opened('Order')).staff?.tags).toEqual(['c'])
  expect(await changed(c, { enabled: false })).toMatchObject({ enabled: false, stop: true })
  expect((await opened('Off')).staff?.tags).toEqual(['a'])
  await changed(b, { position: 100 })
  await lead.must('DELETE /api/support/rules/{id}', { params: { id: b } })
  expect(await names()).toEqual(['c', 'a'])
  expect((await lead.must('GET /api/support/rules')).items.map((one) => one.position)).toEqual([
    0, 1,
  ])
  const idle = { params: { id: c }, body: { on: 'idle' as const } }
  expect(await lead.call('PUT /api/support/rules/{id}', idle)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/idleMinutes' }] },
  })
})

test('a rule that refers to nothing is refused, and one whose tier was deleted is turned off', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000'
  for (const action of [
    { type: 'set_group', groupId: nobody },
    { type: 'set_category', categoryId: nobody },
    { type: 'assign', to: 'agent', agentId: customer.id },
    { type: 'notify_agent', agentId: customer.id },
  ] as const) {
    const body = { name: 'x', on: 'ticket.created' as const, when: {}, actions: [action] }
    expect((await lead.call('POST /api/support/rules', { body })).status).toBe(400)
  }
  const tierId = crypto.randomUUID()
  const tier = { params: { id: tierId }, body: { name: 'Gold', goals: {} } }
  await lead.must('PUT /api/support/tiers/{id}', tier)
  const { id } = await made('To gold', [{ type: 'set_tier', tierId }, tag('gold')])
  expect((await opened('Gold')).staff?.tags).toEqual(['gold'])
  await lead.must('DELETE /api/support/tiers/{id}', { params: { id: tierId } })
  expect((await opened('No gold')).staff?.tags).toEqual([])
  expect((await lead.must('GET /api/support/rules')).items[0]).toMatchObject({
    enabled: false,
    disabledReason: expect.stringContaining('tier'),
  })
  const again = { params: { id }, body: { enabled: true } }
  expect((await lead.call('PUT /api/support/rules/{id}', again)).status).toBe(400)
})

test('people who see tickets can test a rule on a ticket without changing it', async () => {
  const ticket = await opened('Try me')
  const rule = {
    ...{ name: 'Tried', on: 'ticket.created' as const, actions: [tag('tried')] },
    when: {
      all: [{ field: 'subject' as const, op: 'startsWith' as const, value: 'try' }],
      any: [
        { field: 'priority' as const, op: 'eq' as const, value: 'urgent' as const },
        { field: 'body' as const, op: 'contains' as const, value: 'slow' },
      ],
    },
  }
  const body = { rule, ticketId: ticket.id }
  expect(await lead.must('POST /api/support/rules/try', { body })).toEqual({
    ...{ matches: true, all: [true], any: [false, true] },
  })
  expect(await seen(ticket.id)).toEqual(ticket)
  expect(await arranger.call('POST /api/support/rules/try', { body })).toMatchObject({
    status: 403,
    body: { code: 'permission_required' },
  })
  const { id } = await arranger.must('POST /api/support/rules', { body: rule })
  const runs = await arranger.call('GET /api/support/rules/{id}/runs', { params: { id } })
  expect(runs.status).toBe(403)
})

test('a rule about idle tickets runs once for each idle period of a ticket', async () => {
  const { id } = await opened('Waits')
  const idle = () =>
    lodge.database.pool.query(
      `update support_watches set idle_since = now() - interval '2 hours' where ticket_id = $1`,
      [id],
    )
  await idle()
  const given = { on: 'idle' as const, idleMinutes: 60 }
  const rule = await made('Nobody wrote', [{ type: 'note', text: 'Look at it' }], given)
  const notes = async () => (await seen(id)).messages.filter(({ kind }) => kind === 'note').length
  const { idleRules } = await import('../../../control-plane/src/domains/support/rules/idle.ts')
  const work = () => idleRules.run(lodge.controlPlane.services)
  await work()
  await work()
  await until(async () => (await notes()) === 1)
  await customer.must('POST /api/support/tickets/{id}/messages', {
    params: { id },
    body: { kind: 'reply', bodyMarkdown: 'Hello?' },
  })
  await work()
  expect(await notes()).toBe(1)
  await idle()
  await Promise.all([work(), work()])
  await until(async () => (await notes()) === 2)
  await changed(rule.id, { enabled: false })
})

test('a rule calls a webhook of its author, signed and retried, and stops once that is deleted', async () => {
  const webhookOf = async (by: Caller) => {
    const { id, secret } = await by.must('POST /api/notification-channels', {
      body: {
        ...{ name: 'Hook', kind: 'webhook', url: receiver.url('/desk') },
        events: ['account.password_changed'],
      },
    })
    return { id, secret: secret ?? '' }
  }
  const own = await webhookOf(lead)
  const other = await webhookOf(arranger)
  const answer = await lead.call('POST /api/support/rules', {
    body: {
      ...{ name: 'Hook', on: 'ticket.created', when: { all: [], any: [] } },
      actions: [{ type: 'send_webhook', channelId: other.id }],
    },
  })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ errors: [{ pointer: '/actions/0/channelId' }] })

  const rule = await made('Hook', [{ type: 'send_webhook', channelId: own.id }])
  // Another person can change the rule without choosing another receiver.
  await arranger.must('PUT /api/support/rules/{id}', {
    params: { id: rule.id },
    body: { name: 'Called' },
  })
  let refusals = 1
  receiver.answer = (_request, response) =>
    void response.writeHead(refusals-- > 0 ? 500 : 204).end()
  const ticket = await opened('The hook is called')
  const arrived = await until(async () => {
    await lodge.database.pool.query(
      "update notification_deliveries set next_attempt_at = now() where state = 'queued'",
    )
    const all = receiver.at('/desk')
    return all.length >= 2 && all
  })
  expect(arrived.every((one) => isSigned(one, own.secret))).toBe(true)
  expect(JSON.parse(arrived.at(-1)?.body ?? '')).toMatchObject({
    type: 'ticket.rule',
    data: {
      title: `Called: ${ticket.number}`,
      body: 'The hook is called',
      links: { panel: expect.stringContaining(`/admin/desk/${ticket.id}`) },
    },
  })
  const runs = await lead.must('GET /api/support/rules/{id}/runs', { params: { id: rule.id } })
  expect(runs.items).toMatchObject([{ does: ['send_webhook'], ticket: { number: ticket.number } }])

  await lead.must('DELETE /api/notification-channels/{id}', { params: { id: own.id } })
  await opened('Nobody hears of it')
  expect((await lead.must('GET /api/support/rules')).items).toMatchObject([
    { enabled: false, disabledReason: expect.stringContaining('is none of your webhooks') },
  ])
})
