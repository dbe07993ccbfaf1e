import { randomUUID } from 'node:crypto'
import { changeBetween, instantOf } from '@lodge/shared/cron/wall-clock.ts'
import { openClock, openTimeBetween } from '@lodge/shared/support/hours/open-time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

const ZONE = 'Europe/Berlin'
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const OFFICE: [string, string][] = [['09:00', '17:00']]
const WEEK = { mon: OFFICE, tue: OFFICE, wed: OFFICE, thu: OFFICE, fri: OFFICE, sat: [], sun: [] }

/** The last change of the clock in that time zone, as a day since 1970. */
function lastChange(): { day: number; longerMinutes: number } {
  let toMs = Date.now() - 4 * DAY_MS
  for (;;) {
    const atMs = changeBetween(ZONE, toMs - 100 * DAY_MS, toMs)
    if (atMs === undefined) {
      toMs -= 100 * DAY_MS
      continue
    }
    const day = Math.floor(atMs / DAY_MS)
    const lengthMs = instantOf(ZONE, (day + 1) * DAY_MS).atMs - instantOf(ZONE, day * DAY_MS).atMs
    return { day, longerMinutes: (lengthMs - DAY_MS) / 60_000 }
  }
}

const { day: sunday, longerMinutes } = lastChange()
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
/** The instant of a local time in that zone, so many days after that Sunday. */
const at = (days: number, time: string): Date => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const wallMs = (sunday + days) * DAY_MS + hours * HOUR_MS + minutes * 60_000
  return new Date(instantOf(ZONE, wallMs).atMs)
}

let lodge: Lodge
let lead: Caller
let customer: Caller & { id: string }
const group = randomUUID()
const days = { from: dateOf(sunday - 1), to: dateOf(sunday + 1) }

const sql = (text: string, ...values: unknown[]) => lodge.database.pool.query(text, values)

interface Made {
  readonly createdAt: Date
  readonly moves?: readonly (readonly [at: Date, from: string, to: string])[]
  readonly columns?: Readonly<Record<string, unknown>>
}

/** A ticket with exactly this history. */
async function make({ createdAt, moves = [], columns = {} }: Made): Promise<string> {
  const id = randomUUID()
  const row = {
    ...{ id, subject: 'Made', status: moves.at(-1)?.[2] ?? 'new', priority: 'normal' },
    ...{
      source: 'web',
      answers: '{}',
      requester_id: customer.id,
      requester_email: 'a@example.com',
    },
    ...{ created_at: createdAt, updated_at: createdAt, status_since: createdAt },
    ...{ touched_at: moves.at(-1)?.[0] ?? createdAt, ...columns },
  }
  const names = Object.keys(row)
  await sql(
    `insert into support_tickets (${names.join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    ...Object.values(row),
  )
  for (const [movedAt, from, to] of moves)
    await sql(
      `insert into support_ticket_events (id, ticket_id, at, kind, actor_kind, change)
       values (gen_random_uuid(), $1, $2, 'updated', 'agent', $3)`,
      ...[id, movedAt, { status: { from, to } }],
    )
  return id
}

beforeAll(async () => {
  lodge = await startLodge()
  lead = await lodge.limitedAdmin(['support.view', 'support.settings', 'support.reports'])
  customer = await lodge.customer()
  await lead.must('PUT /api/support/hours', {
    body: { timeZone: ZONE, week: WEEK, holidays: [] },
  })
  await sql(`insert into support_groups (id, name) values ($1, 'Night watch')`, group)
  const solved = await make({
    createdAt: at(-1, '12:00'),
    moves: [[at(1, '15:00'), 'new', 'solved']],
    columns: {
      ...{ assignee_id: lead.id, group_id: group, first_met_at: at(1, '12:00') },
      ...{ first_target_at: at(1, '10:00'), first_breached_at: at(1, '10:00') },
      ...{ solved_at: at(1, '15:00'), resolution_met_at: at(1, '15:00') },
      rating_asked_at: at(1, '16:00'),
    },
  })
  await sql(
    `insert into support_messages (id, ticket_id, kind, author_kind, body, channel, created_at, words)
     values (gen_random_uuid(), $1, 'reply', 'agent', 'x', 'web', $2, '')`,
    ...[solved, at(1, '12:00')],
  )
  await sql(
    `insert into support_ratings (ticket_id, score, created_at, updated_at) values ($1, 5, $2, $2)`,
    ...[solved, at(1, '16:30')],
  )
  await make({
    createdAt: at(0, '23:30'),
    moves: [
      [at(1, '10:00'), 'new', 'solved'],
      [at(1, '11:00'), 'solved', 'open'],
    ],
    columns: {
      ...{ priority: 'high', first_met_at: at(1, '09:30'), first_target_at: at(1, '10:00') },
    },
  })
  await make({ createdAt: at(-10, '12:00') })
  await make({ createdAt: at(0, '12:00'), columns: { spam: true } })
  await make({
    createdAt: at(-1, '13:00'),
    moves: [[at(2, '10:00'), 'new', 'solved']],
    columns: { solved_at: at(2, '10:00') },
  })
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

const report = (query: object) => lead.must('GET /api/support/reports', { query })

test('figures match hand-made tickets, across a change of daylight saving time', async () => {
  const { total, times, by, open, busiest, timeZone } = await report(days)
  expect(timeZone).toBe(ZONE)
  expect(
    times.map(({ from, created, solved, reopened, backlog }) => ({
      ...{ from, created, solved, reopened, backlog },
    })),
  ).toEqual([
    { from: dateOf(sunday - 1), created: 2, solved: 0, reopened: 0, backlog: 3 },
    { from: dateOf(sunday), created: 1, solved: 0, reopened: 0, backlog: 4 },
    { from: dateOf(sunday + 1), created: 0, solved: 2, reopened: 1, backlog: 3 },
  ])
  const wall = 48 * 60 + longerMinutes
  expect(Math.abs(longerMinutes)).toBe(60)
  expect(total).toEqual({
    ...{ created: 3, solved: 2, reopened: 1, backlog: 3 },
    firstResponse: {
      count: 2,
      business: { medianMinutes: 105, p90Minutes: 165 },
      wall: { medianMinutes: (wall + 600) / 2, p90Minutes: 600 + (wall - 600) * 0.9 },
    },
    resolution: {
      count: 1,
      business: { medianMinutes: 360, p90Minutes: 360 },
      wall: { medianMinutes: wall + 180, p90Minutes: wall + 180 },
    },
    goals: {
      first: { met: 1, missed: 1 },
      next: { met: 0, missed: 0 },
      resolution: { met: 1, missed: 0 },
    },
    ...{ oneTouchPercent: 100, repliesPerTicket: 1 },
    ratings: { count: 1, average: 5, asked: 1, answeredPercent: 100 },
  })
  const counted = ({ agent, group: groups, priority }: typeof by) =>
    [agent, groups, priority].map((all) =>
      all.map(({ id, created, solved, backlog }) => [id, created, solved, backlog]),
    )
  expect(counted(by)).toEqual([
    [
      [null, 2, 1, 3],
      [lead.id, 1, 1, 0],
    ],
    [
      [null, 2, 1, 3],
      [group, 1, 1, 0],
    ],
    [
      ['normal', 2, 1, 2],
      ['high', 1, 1, 1],
    ],
  ])
  expect(by.group[1]?.name).toBe('Night watch')
  expect(open.total).toBe(2)
  expect(open.byAge.reduce((sum, { count }) => sum + count, 0)).toBe(2)
  expect([busiest[5]?.[12], busiest[5]?.[13], busiest[6]?.[23]]).toEqual([1, 1, 1])
})

test('days are those of the requested zone, weeks begin on Monday, and the CSV has the same figures', async () => {
  const weeks = await report({ ...days, every: 'week' })
  expect(weeks.times.map(({ from, created }) => [from, created])).toEqual([
    [dateOf(sunday - 1), 3],
    [dateOf(sunday + 1), 0],
  ])
  const elsewhere = await report({ ...days, timeZone: 'Asia/Tokyo' })
  expect(elsewhere.times.map(({ created }) => created)).toEqual([2, 0, 1])

  const file = async (query: string) => {
    const { statusCode, body, headers } = await lead.send({
      ...{ method: 'GET', url: `/api/support/reports.csv?from=${days.from}&to=${days.to}${query}` },
    })
    expect([statusCode, headers['content-type']]).toEqual([200, expect.stringMatching('text/csv')])
    return body.split('\r\n')
  }
  const lines = await file('')
  expect(lines[0]).toMatch(/^from,to,created,solved,reopened,backlog,first_response_count/)
  expect(lines.slice(1).map((line) => line.split(',').slice(0, 6).join(' '))).toEqual([
    `${days.from} ${days.from} 2 0 0 3`,
    `${dateOf(sunday)} ${dateOf(sunday)} 1 0 0 4`,
    `${days.to} ${days.to} 0 2 1 3`,
    '',
  ])
  expect((await file('&rows=group'))[2]).toMatch(`${group},Night watch,1,1,0,0,1,180,180,`)
})

test('a report covers at most 92 days of the last 400, and needs the permission', async () => {
  const now = Math.floor(Date.now() / DAY_MS)
  for (const [query, pointer] of [
    [{ from: dateOf(now - 100), to: dateOf(now - 2) }, '/from'],
    [{ from: dateOf(now - 2), to: dateOf(now - 3) }, '/from'],
    [{ from: dateOf(now - 450), to: dateOf(now - 440) }, '/from'],
    [{ to: dateOf(now + 3) }, '/to'],
    [{ days: 93 }, '/days'],
  ] as const) {
    const refused = await lead.call('GET /api/support/reports', { query: query as object })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
    const { statusCode } = await lead.send({
      ...{ method: 'GET', url: `/api/support/reports.csv?${new URLSearchParams(query as never)}` },
    })
    expect(statusCode).toBe(400)
  }
  const agent = await lodge.limitedAdmin(['support.view', 'support.reply'])
  for (const caller of [agent, customer])
    expect((await caller.call('GET /api/support/reports')).status).toBe(403)
})

test('business hours read once result in the same times as those read for each ticket', () => {
  const hours = {
    ...{ timeZone: ZONE, week: { ...WEEK, sun: [['01:00', '04:30']] as [string, string][] } },
    holidays: [{ date: dateOf(sunday + 1), name: 'Day after', intervals: [] }],
  }
  const [fromMs, toMs] = [at(-9, '03:20').getTime(), at(9, '11:00').getTime()]
  const clock = openClock(hours, fromMs, toMs)
  for (let startMs = fromMs; startMs < toMs; startMs += 7.3 * HOUR_MS)
    for (let endMs = startMs; endMs < toMs; endMs += 31 * HOUR_MS)
      expect(clock(startMs, endMs)).toBe(openTimeBetween(hours, startMs, endMs))
})

test('a customer reads the names of the tier and the category of a ticket, also of an archived one', async () => {
  const category = { name: 'Worlds', fields: [] }
  const { id } = await lead.must('POST /api/support/categories', { body: category })
  const ticket = await customer.must('POST /api/support/tickets', {
    body: { subject: 'Lost', bodyMarkdown: 'My world.', categoryId: id },
  })
  await lead.must('PUT /api/support/categories/{id}', {
    ...{ params: { id }, body: { ...category, active: false } },
  })
  const { items } = await lead.must('GET /api/support/tiers')
  const shown = await customer.must('GET /api/support/tickets/{id}', { params: { id: ticket.id } })
  expect(shown).toMatchObject({
    ...{ category: 'Worlds', tier: items.find(({ isDefault }) => isDefault)?.name, staff: null },
  })
  const { categories } = await customer.must('GET /api/support/config')
  expect(categories.map(({ name }) => name)).not.toContain('Worlds')
})

test('a report over too many tickets is refused, with a suggestion', {
  tags: 'long',
}, async () => {
  const id = await make({ createdAt: at(0, '12:00') })
  await sql(
    `insert into support_tickets overriding system value
     select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'number', 1000000 + at))).*
     from support_tickets one, generate_series(1, 50001) at where one.id = $1`,
    id,
  )
  const query = days
  expect(await lead.call('GET /api/support/reports', { query })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/from', detail: expect.stringContaining('a later first day') }] },
  })
})
