import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lowestIdAt } from '../../../control-plane/src/db/timed-ids.ts'
import { endIdleTickets, endSnoozes } from '../../../control-plane/src/domains/support/idle/idle.ts'
import { forgetOldWords } from '../../../control-plane/src/domains/support/tickets/words.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { type EventStream, openEvents } from '../support/event-stream.ts'

let lodge: Lodge
let agent: Caller
let customer: Caller

beforeAll(async () => {
  lodge = await startLodge()
  agent = await lodge.limitedAdmin(['support.view', 'support.reply', 'support.assign'])
  customer = await lodge.customer()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

const open = (by: Caller, subject: string, more: object = {}) =>
  by.must('POST /api/support/tickets', {
    body: { subject, bodyMarkdown: `About *${subject}*.`, ...more },
  })
const read = (by: Caller, id: string) =>
  by.must('GET /api/support/tickets/{id}', { params: { id } })
const say = (by: Caller, id: string, bodyMarkdown: string, more: object = {}) =>
  by.must('POST /api/support/tickets/{id}/messages', {
    params: { id },
    body: { bodyMarkdown, ...more },
  })
const found = async (by: Caller, q: string) =>
  (await by.must('GET /api/support/tickets', { query: { q } })).items.map(({ id }) => id)

describe('a ticket', () => {
  test('is visible only to its customer and the desk', async () => {
    const made = await open(customer, 'My server is slow')
    expect(made).toMatchObject({ status: 'new', priority: 'normal', staff: null, events: null })
    expect(made.number).toMatch(/^T-\d{6}$/)
    expect(made.messages[0]?.html).toBe('<p>About <em>My server is slow</em>.</p>\n')
    const seen = await read(agent, made.id)
    expect(seen.staff).toMatchObject({ assignee: null, tags: [], spam: false })
    for (const other of [await lodge.customer(), await lodge.limitedAdmin(['support.reply'])]) {
      const params = { id: made.id }
      const answer = await other.call('GET /api/support/tickets/{id}', { params })
      expect(answer.status).toBe(404)
      expect((await other.must('GET /api/support/tickets', { query: {} })).items).toEqual([])
    }
    expect(await found(agent, 'servers')).toEqual([made.id])
    expect(await found(agent, made.number)).toContain(made.id)
    // Misspelt words and prefixes are found as soon as the ticket's words are indexed.
    await expect.poll(() => found(customer, 'sloww')).toEqual([made.id])
    expect(await found(agent, 'serv')).toEqual([made.id])
    expect(await found(agent, 'serv -slow')).toEqual([])
  })

  test('hides its notes from customers: in the thread, in searches, in times and versions', async () => {
    const { id } = await open(customer, 'Invoice')
    await say(agent, id, 'Which invoice do you mean?')
    const before = await read(customer, id)
    await say(agent, id, 'A reseller of xylophones', { kind: 'note' })
    expect(await read(customer, id)).toEqual(before)
    expect(await found(customer, 'xylophones')).toEqual([])
    expect(await found(customer, 'xylofones')).toEqual([])
    expect(await found(agent, 'xylophones')).toEqual([id])
    const seen = await read(agent, id)
    expect(seen.messages.map(({ kind }) => kind)).toEqual(['reply', 'reply', 'note'])
    expect(Date.parse(seen.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect(before.messages[1]?.author).toEqual({ kind: 'agent', id: null, name: null })
    const refused = await customer.call('POST /api/support/tickets/{id}/messages', {
      params: { id },
      body: { kind: 'note', bodyMarkdown: 'x' },
    })
    expect(refused).toMatchObject({ status: 403 })
  })

  test('can be changed only with its newest version, and notes do not count', async () => {
    const { id, version } = await open(customer, 'Stale')
    await say(agent, id, 'For us', { kind: 'note' })
    const change = (by: Caller, body: { version: number; [field: string]: unknown }) =>
      by.call('PATCH /api/support/tickets/{id}', { params: { id }, body })
    expect(await change(agent, { version, priority: 'high', tags: ['Billing'] })).toMatchObject({
      status: 200,
      body: { priority: 'high', staff: { tags: ['billing'] } },
    })
    expect(await change(agent, { version, priority: 'low' })).toMatchObject({
      status: 409,
      body: { code: 'ticket_changed', version: version + 1 },
    })
    const newest = { version: version + 1 }
    const both = await Promise.all([
      change(agent, { ...newest, priority: 'low' }),
      change(agent, { ...newest, priority: 'urgent' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const own = await read(customer, id)
    expect(await change(customer, { version: own.version, priority: 'low' })).toMatchObject({
      status: 403,
    })
    expect(await change(customer, { version: own.version, subject: 'Fresh' })).toMatchObject({
      status: 200,
      body: { subject: 'Fresh' },
    })
    expect(await change(customer, { version: own.version + 1, status: 'solved' })).toMatchObject({
      status: 200,
      body: { status: 'solved', may: { solve: false, reopen: true, rate: true } },
    })
  })

  test('can be read by people in copy, and does not reveal who has an account', async () => {
    const known = await lodge.customer()
    const { id } = await open(customer, 'Shared', { participants: ['nobody@example.com'] })
    const { version } = await read(customer, id)
    const changed = await customer.must('PATCH /api/support/tickets/{id}', {
      params: { id },
      body: { version, participants: ['nobody@example.com', known.email] },
    })
    const shown = changed.participants
    expect(shown.map(({ email }) => email)).toEqual(['nobody@example.com', known.email])
    expect(shown.map((one) => Object.keys(one))).toEqual([
      ['id', 'email'],
      ['id', 'email'],
    ])
    expect((await read(known, id)).subject).toBe('Shared')
    await say(known, id, 'Me too')
    const foreign = await known.call('PATCH /api/support/tickets/{id}', {
      params: { id },
      body: { version: version + 2, status: 'solved' },
    })
    expect(foreign.status).toBe(403)
  })

  test('accepts files uploaded by their sender, and serves them to those who see their message', async () => {
    const { id } = await open(customer, 'Files')
    const file = await agent.send({
      method: 'POST',
      url: `/api/support/tickets/${id}/attachments?name=a.txt`,
      headers: { 'content-type': 'application/octet-stream' },
      payload: Buffer.from('hello'),
    })
    expect(file.statusCode).toBe(201)
    const attachmentId = file.json<{ id: string }>().id
    await say(agent, id, 'Inside', { kind: 'note', attachments: [attachmentId] })
    const url = `/api/support/tickets/${id}/attachments/${attachmentId}`
    const got = await agent.send({ method: 'GET', url })
    expect([got.statusCode, got.body]).toEqual([200, 'hello'])
    expect(got.headers['content-disposition']).toContain('attachment')
    expect((await customer.send({ method: 'GET', url })).statusCode).toBe(404)
  })

  test('is created as a follow-up when somebody replies to a closed one', async () => {
    const { id } = await open(customer, 'Over')
    const { version } = await read(agent, id)
    const body = { version, status: 'solved' as const }
    await agent.must('PATCH /api/support/tickets/{id}', { params: { id }, body })
    const reopened = await say(customer, id, 'Not yet')
    expect(reopened.ticketId).toBe(id)
    expect((await read(customer, id)).status).toBe('open')
    await lodge.database.pool.query(
      `update support_tickets set status = 'closed', closed_at = now(), solved_at = now() where id = $1`,
      [id],
    )
    const { ticketId } = await say(customer, id, 'Again')
    expect(ticketId).not.toBe(id)
    expect(await read(customer, ticketId)).toMatchObject({ followUpOf: id, subject: 'Over' })
    const answer = await agent.call('POST /api/support/tickets/{id}/messages', {
      params: { id },
      body: { bodyMarkdown: 'x' },
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  })

  test('can be merged only with one of the same customer, and split again', async () => {
    const [one, two, foreign] = await Promise.all([
      open(customer, 'First'),
      open(customer, 'Second'),
      open(await lodge.customer(), 'Foreign'),
    ])
    const merge = (mergeInto: string) =>
      agent.call('PATCH /api/support/tickets/{id}', {
        params: { id: one.id },
        body: { version: one.version, mergeInto },
      })
    expect(await merge(foreign.id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    expect(await merge(two.id)).toMatchObject({
      status: 200,
      body: { status: 'closed', mergedInto: two.id, messages: [] },
    })
    const whole = await read(customer, two.id)
    expect(whole.messages).toHaveLength(2)
    const ofFirst = whole.messages.find(({ html }) => html.includes('First'))
    const split = await agent.must('POST /api/support/tickets/{id}/split', {
      params: { id: two.id },
      body: { messageIds: [ofFirst?.id ?? ''], subject: 'Third' },
    })
    expect(split).toMatchObject({ subject: 'Third', requester: { id: customer.id } })
    expect((await read(customer, two.id)).messages).toHaveLength(1)
    // Its message is found although it is much older than the ticket.
    const then = new Date(Date.now() - 100 * 86_400_000)
    await lodge.database.pool.query(
      'update support_messages set id = $1, created_at = $2 where id = $3',
      [lowestIdAt(then.getTime()), then, split.messages[0]?.id],
    )
    expect(await found(customer, 'first')).toContain(split.id)
  })

  test('can be changed in bulk, each independently', async () => {
    const made = await Promise.all([open(customer, 'Many 1'), open(customer, 'Many 2')])
    const ids = made.map(({ id }) => id)
    await lodge.database.pool.query(
      `update support_tickets set status = 'closed', closed_at = now() where id = $1`,
      [ids[1]],
    )
    const { results } = await agent.must('POST /api/support/tickets/bulk', {
      body: { ids, assigneeId: agent.id, addTags: ['wave'] },
    })
    const of = new Map(results.map(({ id, problem }) => [id, problem?.code]))
    expect(ids.map((id) => of.get(id))).toEqual([undefined, 'invalid_state'])
    expect(await read(agent, ids[0] ?? '')).toMatchObject({
      status: 'open',
      staff: { assignee: { id: agent.id }, tags: ['wave'] },
    })
    const lacking = await lodge.limitedAdmin(['support.view', 'support.reply'])
    const refused = await lacking.call('POST /api/support/tickets/bulk', {
      body: { ids, assigneeId: null },
    })
    expect(refused).toMatchObject({ status: 403, body: { permission: 'support.assign' } })
  })

  test('is rated by its customer, who can change their mind', async () => {
    const { id } = await open(customer, 'Rated')
    const params = { id }
    const rate = (score: number) =>
      customer.call('POST /api/support/tickets/{id}/rating', { params, body: { score } })
    expect((await rate(4)).status).toBe(409)
    await say(agent, id, 'Done', { status: 'solved' })
    expect(await rate(4)).toMatchObject({ status: 200, body: { rating: 4 } })
    expect(await rate(5)).toMatchObject({ status: 200, body: { rating: 5 } })
  })

  test('keeps a person’s draft, from one window to the next', async () => {
    const params = { id: 'new' }
    const save = (version: number) =>
      customer.call('PUT /api/support/drafts/{id}', {
        params,
        body: { content: { subject: 'Half' }, version },
      })
    expect(await save(0)).toMatchObject({ status: 200, body: { version: 1 } })
    expect(await save(0)).toMatchObject({ status: 409, body: { code: 'conflict', version: 1 } })
    expect(await save(1)).toMatchObject({ status: 200, body: { version: 2 } })
    await open(customer, 'Whole')
    expect(await customer.must('GET /api/support/drafts/{id}', { params })).toMatchObject({
      content: {},
      version: 0,
    })
  })

  test('has the answers to its category’s questions, which are not in the audit record', async () => {
    const lead = await lodge.limitedAdmin(['support.view', 'support.settings'])
    const category = await lead.must('POST /api/support/categories', {
      body: {
        name: 'Connection',
        defaultPriority: 'high',
        fields: [{ key: 'isp', label: 'Your provider', type: 'text', required: true }],
      },
    })
    const body = { subject: 'Lag', bodyMarkdown: 'x', categoryId: category.id }
    const without = await customer.call('POST /api/support/tickets', { body })
    expect(without).toMatchObject({ status: 400, body: { errors: [{ pointer: '/answers/isp' }] } })
    const made = await open(customer, 'Lag', {
      categoryId: category.id,
      answers: { isp: 'Secretcom' },
    })
    expect(made).toMatchObject({ priority: 'high', answers: { isp: 'Secretcom' } })
    const { rows } = await lodge.database.pool.query(
      `select from audit_log where detail::text like '%Secretcom%'`,
    )
    expect(rows).toEqual([])
  })

  test('of a suspended customer is open if their suspension allows tickets', async () => {
    const person = await lodge.customer()
    const { id } = await open(person, 'Why')
    const params = { id: person.id }
    const admin = await lodge.limitedAdmin(['suspension.view', 'suspension.manage'])
    const options = { allowTickets: true }
    const suspend = { params, body: { reasonCode: 'other' as const, options } }
    await admin.must('POST /api/customers/{id}/suspend', suspend)
    await say(person, id, 'Hello?')
    const change = { params, body: { options: { allowTickets: false } } }
    await admin.must('PATCH /api/customers/{id}/suspension', change)
    const refused = await person.call('GET /api/support/tickets/{id}', { params: { id } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'account_suspended' } })
  })

  test('is announced to its customer when they see a change, and never because of a note', async () => {
    const theirs = openEvents(lodge, customer)
    const ours = openEvents(lodge, agent)
    await Promise.all([theirs.opened, ours.opened])
    const { id } = await open(customer, 'Live')
    const changes = ({ events }: EventStream) =>
      events.filter(({ event, data }) => event === 'ticket' && (data as { id: string }).id === id)
    const heard = (stream: EventStream, count: number) =>
      stream.next(() => changes(stream).length === count)
    await Promise.all([heard(theirs, 1), heard(ours, 1)])
    await say(agent, id, 'Between us', { kind: 'note' })
    await heard(ours, 2)
    const presence = { params: { id }, body: { state: 'replying' as const } }
    await agent.must('POST /api/support/tickets/{id}/presence', presence)
    const shown = await ours.next(({ event }) => event === 'ticket-presence')
    expect(shown.data).toMatchObject({ id, agent: { email: agent.email }, state: 'replying' })
    await say(agent, id, 'For you')
    await Promise.all([heard(theirs, 2), heard(ours, 3)])
    expect(theirs.events.map(({ event }) => event)).not.toContain('ticket-presence')
    theirs.close()
    ours.close()
  })

  test('without activity gets a reminder, is solved, and closed', async () => {
    const { id } = await open(customer, 'Silence')
    const { pool } = lodge.database
    const later = async (days: number) => {
      await pool.query(
        `update support_tickets set status_since = status_since - $2::interval,
           last_agent_at = last_agent_at - $2::interval, solved_at = solved_at - $2::interval,
           snoozed_until = snoozed_until - $2::interval where id = $1`,
        [id, `${days} days`],
      )
      await endIdleTickets.run(lodge.controlPlane.services)
      await endSnoozes.run(lodge.controlPlane.services)
      return read(agent, id)
    }
    await say(agent, id, 'Did that help?')
    const kindsOf = ({ events }: { events: { kind: string }[] | null }) =>
      events?.map(({ kind }) => kind)
    expect(kindsOf(await later(3.1))).toContain('reminded')
    const solved = await later(4)
    expect(solved).toMatchObject({ status: 'solved' })
    expect(await later(7.1)).toMatchObject({ status: 'closed' })
    const params = { id }
    const reopened = await agent.must('POST /api/support/tickets/{id}/reopen', { params })
    const snoozedUntil = new Date(Date.now() + 86_400_000).toISOString()
    const body = { version: reopened.version, snoozedUntil }
    await agent.must('PATCH /api/support/tickets/{id}', { params, body })
    expect(await later(1.1)).toMatchObject({ status: 'open', staff: { snoozedUntil: null } })
    await say(agent, id, 'Done', { status: 'solved' })
    expect(kindsOf(await later(0.1))).toContain('rating_asked')
    const { rows } = await pool.query<{ template: string; subject: string }>(
      `select template, subject from email_messages where user_id = $1 and template like 'ticket%'`,
      [customer.id],
    )
    const sent = rows.map(({ template }) => template)
    expect(sent).toEqual(
      expect.arrayContaining(['ticket_rating', 'ticket_reminder', 'ticket_reply']),
    )
    // From solving it without an answer, and not from the one in an answer.
    const solutions = rows.filter(({ template }) => template === 'ticket_solved')
    expect(solutions.filter(({ subject }) => subject === 'Re: Silence')).toHaveLength(1)
    const { items } = await customer.must('GET /api/notifications', { query: {} })
    expect(items.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['ticket.answered', 'ticket.waiting', 'ticket.rating']),
    )
    expect(items[0]?.link).toBe(`/support/${id}`)
  })

  test('keeps the text from before an agent’s correction, and is deleted with everything', async () => {
    const lead = await lodge.limitedAdmin(['support.view', 'support.reply', 'support.delete'])
    const { id } = await open(customer, 'Typo')
    const { id: messageId } = await say(lead, id, 'Teh answer')
    const params = { id, messageId }
    const amend = (by: Caller) =>
      by.call('PATCH /api/support/tickets/{id}/messages/{messageId}', {
        params,
        body: { bodyMarkdown: 'The answer' },
      })
    expect((await amend(agent)).status).toBe(403)
    expect((await amend(lead)).status).toBe(204)
    const { messages } = await read(customer, id)
    expect(messages.at(-1)).toMatchObject({ bodyMarkdown: 'The answer' })
    expect(messages.at(-1)?.editedAt).not.toBeNull()
    const { rows } = await lodge.database.pool.query(
      'select body from support_message_edits where message_id = $1',
      [messageId],
    )
    expect(rows).toEqual([{ body: 'Teh answer' }])
    const known = async () =>
      (await lodge.database.pool.query("select from support_words where word = 'typo'")).rowCount
    await expect.poll(known).toBe(1)
    await lead.must('DELETE /api/support/tickets/{id}', { params: { id } })
    await expect
      .poll(async () => {
        await forgetOldWords.run(lodge.controlPlane.services)
        return known()
      })
      .toBe(0)
    const gone = await customer.call('GET /api/support/tickets/{id}', { params: { id } })
    expect(gone.status).toBe(404)
  })
})
