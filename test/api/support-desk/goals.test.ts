import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let other: Lodge
let lead: Caller
let customer: Caller & { id: string }
let standard: string

beforeAll(async () => {
  lodge = await startLodge()
  other = await lodge.beside()
  lead = await lodge.limitedAdmin(['support.view', 'support.reply', 'support.settings'])
  customer = await lodge.customer()
  const { items } = await lead.must('GET /api/support/tiers')
  standard = items.find(({ isDefault }) => isDefault)?.id ?? ''
})
afterAll(async () => {
  await other?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const setTier = (id: string, more: object) =>
  lead.must('PUT /api/support/tiers/{id}', { params: { id }, body: more as never })
const goals = (firstResponseMin: number, resolutionMin: number) => ({
  normal: { firstResponseMin, nextResponseMin: 60, resolutionMin },
})
const always = (first: number, resolution: number) => ({
  ...{ name: 'Standard', isDefault: true, calendar: 'always', goals: goals(first, resolution) },
})
const open = (by: Caller = customer) =>
  by.must('POST /api/support/tickets', { body: { subject: 'Slow', bodyMarkdown: 'It lags.' } })
const staffOf = async (id: string) => {
  const { staff } = await lead.must('GET /api/support/tickets/{id}', { params: { id } })
  return staff ?? expect.fail('the desk sees it')
}
const minutesAfter = (createdAt: string, target: string | null) =>
  target === null ? null : (Date.parse(target) - Date.parse(createdAt)) / 60_000
const sql = (text: string, ...values: unknown[]) => lodge.database.pool.query(text, values)
/** Moves the ticket's opening into the past, so that its goals are due. */
const age = async (id: string, minutes: number) => {
  await sql(
    `update support_tickets set created_at = created_at - $2 * interval '1 minute' where id = $1`,
    ...[id, minutes],
  )
  await sql(
    `update support_messages set created_at = created_at - $2 * interval '1 minute'
     where ticket_id = $1`,
    ...[id, minutes],
  )
  await sql('update support_watches set due_at = now() where ticket_id = $1', id)
}

describe('the goals of a ticket', () => {
  test('are those of the best tier of its customer, and follow changes of hours and tiers', async () => {
    await setTier(standard, always(60, 600))
    const plain = await open()
    const before = await staffOf(plain.id)
    expect(before.tierId).toBe(standard)
    expect(minutesAfter(plain.createdAt, before.sla.first.targetAt)).toBe(60)
    expect(minutesAfter(plain.createdAt, before.sla.resolution.targetAt)).toBe(600)
    expect(before.sla.next.targetAt).toBeNull()

    const plan = await sql(
      `insert into plans (id, name, kind) values ($1, 'Gold', 'account') returning id`,
      randomUUID(),
    )
    const planId = plan.rows[0].id
    await sql(
      `insert into subscriptions (id, user_id, plan_id, status) values ($1, $2, $3, 'active')`,
      ...[randomUUID(), customer.id, planId],
    )
    const gold = randomUUID()
    await setTier(gold, { ...always(10, 100), name: 'Gold', isDefault: false, planIds: [planId] })
    const paid = await open()
    expect((await staffOf(paid.id)).tierId).toBe(gold)
    const refused = await lead.call('PUT /api/support/tiers/{id}', {
      ...{ params: { id: randomUUID() }, body: { name: 'Silver', planIds: [planId], goals: {} } },
    })
    expect(refused.status).toBe(400)
    await setTier(gold, { ...always(20, 100), name: 'Gold', isDefault: false, planIds: [planId] })
    await until(async () => {
      const { sla } = await staffOf(paid.id)
      return minutesAfter(paid.createdAt, sla.first.targetAt) === 20
    })

    await setTier(standard, { ...always(60, 600), calendar: 'business' })
    const closed = { timeZone: 'Europe/Berlin', week: {}, holidays: [] }
    await lead.must('PUT /api/support/hours', { body: closed })
    await until(async () => (await staffOf(plain.id)).sla.first.targetAt === null)
    const day: [string, string][] = [['00:00', '24:00']]
    const week = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day }
    await lead.must('PUT /api/support/hours', { body: { ...closed, week } })
    await until(
      async () =>
        minutesAfter(plain.createdAt, (await staffOf(plain.id)).sla.first.targetAt) === 60,
    )

    await lead.must('DELETE /api/support/tiers/{id}', { params: { id: gold } })
    await until(async () => (await staffOf(paid.id)).tierId === standard)
    for (const [call, status] of [
      [lead.call('DELETE /api/support/tiers/{id}', { params: { id: standard } }), 409],
      [lead.call('DELETE /api/support/tiers/{id}', { params: { id: gold } }), 404],
    ] as const)
      expect((await call).status).toBe(status)
  })

  test('are reported once when near and once when missed, by one of the control planes', async () => {
    await setTier(standard, always(60, 600))
    const tickets = await Promise.all(Array.from({ length: 6 }, () => open()))
    await sql(
      'update support_tickets set assignee_id = $2 where id = any($1)',
      ...[tickets.map(({ id }) => id), lead.id],
    )
    await Promise.all(tickets.map(({ id }) => age(id, 50)))
    const told = async (title: string) => {
      const { items } = await lead.must('GET /api/notifications', { query: { limit: 100 } })
      return items.filter(
        (item) => item.title.startsWith('First answer') && item.title.endsWith(title),
      )
    }
    await until(async () => (await told('is due soon')).length === tickets.length)
    await Promise.all(tickets.map(({ id }) => age(id, 20)))
    await until(async () => (await told('is late')).length === tickets.length)
    for (const { id } of tickets) {
      const { sla } = await staffOf(id)
      expect(sla.first.breachedAt).toBe(sla.first.targetAt)
      expect(sla.resolution.breachedAt).toBeNull()
    }
    await Promise.all(tickets.map(({ id }) => age(id, 1)))
    const { rows } = await until(async () => {
      const left = await sql('select from support_watches where due_at <= now()')
      return left.rows.length === 0 && left
    })
    expect(rows).toEqual([])
    expect([(await told('is due soon')).length, (await told('is late')).length]).toEqual([6, 6])
  })

  test('and other news of tickets go to those who answer once their agent has no rights', async () => {
    const gone = await lodge.limitedAdmin(['support.view', 'support.reply'])
    const { id } = await open()
    await sql('update support_tickets set assignee_id = $2 where id = $1', id, gone.id)
    await sql(`update users set permissions = '{}' where id = $1`, gone.id)
    await customer.must('POST /api/support/tickets/{id}/messages', {
      ...{ params: { id }, body: { kind: 'reply', bodyMarkdown: 'Still slow.' } },
    })
    await age(id, 70)
    const told = async (userId: string) => {
      const { rows } = await sql(
        `select distinct type from notifications where user_id = $1 and link like '%' || $2
         order by type`,
        ...[userId, id],
      )
      return rows.map(({ type }) => type)
    }
    const all = ['ticket.customer_replied', 'ticket.goal_missed', 'ticket.opened']
    await until(async () => (await told(lead.id)).length === all.length)
    expect(await told(lead.id)).toEqual(all)
    expect(await told(gone.id)).toEqual(['ticket.opened'])
  })
})
