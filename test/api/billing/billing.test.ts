import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import type { Caller } from '../../support/caller.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
/** Another control plane of the same installation. */
let beside: Lodge
let admin: Caller
let node: JoinedNode
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  beside = await lodge.beside()
  admin = await lodge.admin()
  node = await lodge.node()
  templateId = (await lodge.template()).id
})
afterAll(async () => {
  await beside?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const DAY_MS = 86_400_000
const later = (days: number, from = Date.now()) => new Date(from + days * DAY_MS)
const MONTHLY = { cycle: 'monthly', amount: 1000, currency: 'EUR' } as const

const makePlan = (more: object = {}) =>
  admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'account', visibility: 'public', prices: [MONTHLY] },
      ...more,
    },
  })
const serverPreset = {
  ...{ memoryMb: 128, cpuPercent: 10, diskMb: 128, locations: 'any' as const },
}
const serverPlan = (more: object = {}) =>
  makePlan({ kind: 'server', preset: { ...serverPreset, templateIds: [templateId] }, ...more })
async function buyer() {
  const { id, email } = await lodge.customer()
  return lodge.session(id, email)
}
const buy = (person: Caller, planId: string, more: object = {}) =>
  person.call('POST /api/store/checkout', { body: { planId, cycle: 'monthly', ...more } })
const server = () => ({ server: { name: 'shop', templateId } })

async function bought(planId: string, more: object = {}) {
  const person = await buyer()
  const { id, invoice } = await person.must('POST /api/store/checkout', {
    body: { planId, cycle: 'monthly', ...more },
  })
  return { person, id, invoice }
}
const pay = (invoiceId: string | undefined, amount: number) =>
  admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: invoiceId ?? '' },
    body: { amount, reference: 'Transfer' },
  })
const one = async (person: Caller, id: string) => {
  const { subscriptions, invoices, balances } = await person.must('GET /api/billing')
  const subscription = subscriptions.find((found) => found.id === id)
  if (!subscription) throw new Error('no such subscription')
  return { ...subscription, balances, invoices: invoices.filter((i) => i.subscriptionId === id) }
}
/** Runs the tasks due at a time, repeatedly until none is left. */
async function runAt(now: Date, rounds = 12) {
  const { services } = lodge.controlPlane
  for (let round = 0; round < rounds; round += 1) {
    await lodge.database.pool.query(
      'update subscriptions set next_at = $1 where next_at is not null',
      [now],
    )
    await advanceDue(services, now)
  }
}
const heldMb = async () => {
  const { rows } = await lodge.database.pool.query<{ mb: number; servers: number }>(
    'select allocated_memory_mb as mb, allocated_servers as servers from nodes where id = $1',
    [node.id],
  )
  return rows[0]
}

test('of a hundred concurrent buyers at two control planes five get the five in stock, and nothing stays reserved for the others', async () => {
  const plan = await serverPlan({ stock: 5 })
  const before = await heldMb()
  const people = await Promise.all(Array.from({ length: 100 }, buyer))
  const callers = people.map((person, at) =>
    at % 2 ? beside.anonymous({ cookie: person.cookie ?? '' }) : person,
  )
  const answers = await Promise.all(callers.map((caller) => buy(caller, plan.id, server())))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
  for (const { status, body } of answers)
    if (status !== 201) expect(body).toMatchObject({ status: 409, code: 'out_of_stock' })
  const shown = await lodge.anonymous().must('GET /api/store')
  expect(shown.items.find(({ id }) => id === plan.id)).toMatchObject({ available: 0 })
  expect(await heldMb()).toEqual({
    mb: (before?.mb ?? 0) + 640,
    servers: (before?.servers ?? 0) + 5,
  })
  // Buyers who got none owe nothing either.
  const asked = await lodge.database.pool.query<{ buyers: number; cents: number; orders: number }>(
    `select count(distinct invoices.user_id)::int as buyers, sum(total)::int as cents,
       count(distinct server_orders.id) filter (where state = 'reserved')::int as orders
     from subscriptions own left join invoices on invoices.subscription_id = own.id
     left join server_orders on server_orders.subscription_id = own.id where plan_id = $1`,
    [plan.id],
  )
  expect(asked.rows).toEqual([{ buyers: 5, cents: 5000, orders: 5 }])
  // A cancelled purchase releases its stock and its capacity.
  const winner = answers.findIndex(({ status }) => status === 201)
  const { id } = (answers[winner]?.body ?? {}) as { id: string }
  await people[winner]?.must('DELETE /api/store/checkouts/{id}', { params: { id } })
  expect((await admin.must('GET /api/plans/{id}', { params: { id: plan.id } })).available).toBe(1)
  await runAt(later(8))
  expect(await heldMb()).toEqual(before)
  const { rows } = await lodge.database.pool.query<{ number: string }>(
    'select number from invoices',
  )
  const numbers = rows.map(({ number }) => Number(number.slice(-6))).sort((a, b) => a - b)
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
})

test('one customer buys at most as many as the plan allows, even with concurrent requests', async () => {
  const plan = await makePlan({ perCustomerMax: 2 })
  const person = await buyer()
  const answers = await Promise.all(Array.from({ length: 8 }, () => buy(person, plan.id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([
    201, 201, 409, 409, 409, 409, 409, 409,
  ])
})

describe('a paid server', () => {
  test('is made once, belongs to its buyer, is suspended when unpaid and resumed when paid', async () => {
    const before = await heldMb()
    const plan = await serverPlan()
    const { person, id, invoice } = await bought(plan.id, server())
    expect(invoice).toMatchObject({ total: 1000, status: 'open', amountDue: 1000 })
    await pay(invoice?.id, 400)
    expect(await one(person, id)).toMatchObject({ status: 'incomplete' })
    const [paid] = await Promise.all([pay(invoice?.id, 600), pay(invoice?.id, 5)])
    expect(paid.payments.length).toBeGreaterThan(1)
    await Promise.all([
      provisionDue(lodge.controlPlane.services),
      provisionDue(lodge.controlPlane.services),
    ])
    const made = await one(person, id)
    // A payment of five cents too much, or one that arrives too late: neither is lost.
    expect(made).toMatchObject({ status: 'active', server: { state: 'made', name: 'shop' } })
    expect(made.balances).toEqual([{ currency: 'EUR', amount: 5 }])
    const { items } = await person.must('GET /api/servers')
    expect(items.map((found) => found.id)).toEqual([made.server?.id])
    expect(await heldMb()).toEqual({
      mb: (before?.mb ?? 0) + 128,
      servers: (before?.servers ?? 0) + 1,
    })

    const end = new Date(made.periodEnd ?? '')
    const at = (days: number) => later(days, end.getTime())
    await runAt(at(-6))
    const renewal = (await one(person, id)).invoices[0]
    expect(renewal).toMatchObject({ total: 995, dueAt: made.periodEnd })
    expect((await one(person, id)).payBy).toBeNull()
    await runAt(at(0))
    const payBy = (days: number) => ({ payBy: at(days).toISOString() })
    expect(await one(person, id)).toMatchObject({ status: 'past_due', ...payBy(7) })
    await runAt(at(8))
    expect(await one(person, id)).toMatchObject({ suspendedFor: 'unpaid', ...payBy(21) })
    const holds = () =>
      lodge.database.pool.query('select kind, cause from server_holds where server_id = $1', [
        made.server?.id,
      ])
    expect((await holds()).rows).toContainEqual({ kind: 'suspension', cause: 'billing' })
    await pay(renewal?.id, 995)
    expect(await one(person, id)).toMatchObject({ status: 'active', suspendedFor: null })
    expect((await holds()).rows).not.toContainEqual({ kind: 'suspension', cause: 'billing' })
  })

  test('of an ended subscription is kept by staff, without its plan, and not by its owner', async () => {
    const { person, id, invoice } = await bought((await serverPlan()).id, server())
    await pay(invoice?.id, 1000)
    await provisionDue(lodge.controlPlane.services)
    const made = await one(person, id)
    const params = { id: made.server?.id ?? '' }
    await person.must('POST /api/billing/subscriptions/{id}/cancel', { params: { id } })
    await runAt(new Date(made.periodEnd ?? ''))
    expect((await person.must('GET /api/servers/{id}', { params })).deleteAt).not.toBeNull()

    const refused = await person.call('POST /api/me/servers/{id}/restore', { params })
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    const kept = await admin.must('POST /api/servers/{id}/cancel-deletion', { params })
    expect(kept).toMatchObject({ deleteAt: null, holds: [], desiredPower: 'off' })
    expect((await one(person, id)).server?.id).toBeNull()
  })
})

test('after ten days of downtime nothing ends without a warning, and each warning is sent once', async () => {
  const plan = await makePlan()
  const { person, id, invoice } = await bought(plan.id)
  await pay(invoice?.id, 1000)
  const end = new Date((await one(person, id)).periodEnd ?? '').getTime()
  const at = (days: number) => later(days, end)
  await runAt(at(-7))
  await runAt(at(0), 1)
  await runAt(at(10))
  expect(await one(person, id)).toMatchObject({ status: 'suspended' })
  // All deadlines have passed when it runs again.
  await runAt(at(40))
  expect(await one(person, id)).toMatchObject({ status: 'suspended' })
  await runAt(at(46))
  await runAt(at(47))
  expect(await one(person, id)).toMatchObject({ status: 'canceled' })
  const { rows } = await lodge.database.pool.query(
    `select step, count(*)::int as times, extract(day from $2::timestamptz - max(done_at))::int as before
     from billing_steps where subscription_id = $1 and step like 'deletion%' group by step order by step`,
    [id, at(47)],
  )
  expect(rows).toEqual([
    { step: 'deletion_warning_1', times: 1, before: 7 },
    { step: 'deletion_warning_2', times: 1, before: 1 },
  ])
  const refused = await person.call('POST /api/billing/subscriptions/{id}/resume', {
    params: { id },
  })
  expect(refused).toMatchObject({ status: 409, body: { code: 'subscription_ended' } })
})

test('a cancellation takes effect at the end of the paid period, and can be undone until then', async () => {
  const plan = await makePlan()
  const { person, id, invoice } = await bought(plan.id)
  await pay(invoice?.id, 1000)
  const params = { id }
  const path = { params }
  const resume = () => person.call('POST /api/billing/subscriptions/{id}/resume', path)
  expect(await resume()).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
  await person.must('POST /api/billing/subscriptions/{id}/cancel', path)
  expect(await one(person, id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
  const { items } = await person.must('GET /api/notifications')
  const said = items.filter(({ title }) => title === `${plan.name} is cancelled`)
  expect(said).toMatchObject([{ type: 'subscription.cancel_scheduled' }])
  expect(await resume()).toMatchObject({ status: 200 })
  await person.must('POST /api/billing/subscriptions/{id}/cancel', path)
  const end = new Date((await one(person, id)).periodEnd ?? '').getTime()
  await runAt(later(-1, end))
  expect(await one(person, id)).toMatchObject({ status: 'active' })
  await runAt(later(0, end))
  const over = await one(person, id)
  expect(over).toMatchObject({ status: 'canceled' })
  expect(over.invoices.map(({ status }) => status)).toEqual(['paid'])
  const stranger = await buyer()
  for (const call of ['cancel', 'resume'] as const)
    expect(await stranger.call(`POST /api/billing/subscriptions/{id}/${call}`, path)).toMatchObject(
      { status: 404 },
    )
})

test('an upgrade costs what its preview showed and applies once paid; a downgrade waits for the next period', async () => {
  const small = await makePlan()
  const big = await makePlan({ prices: [{ ...MONTHLY, amount: 3000 }], stock: 1 })
  const { person, id, invoice } = await bought(small.id)
  await pay(invoice?.id, 1000)
  const preview = (planId: string) =>
    person.must('GET /api/billing/preview-change', {
      query: { subscriptionId: id, planId, cycle: 'monthly' },
    })
  const shown = await preview(big.id)
  expect(shown).toMatchObject({ mode: 'immediate', blocked: [], nextAmount: 3000 })
  const [credit, charge] = shown.lines.map(({ amount }) => amount)
  expect(shown.dueNow).toBe((charge ?? 0) + (credit ?? 0))
  const change = (planId: string, quoteId?: string) =>
    person.call('POST /api/billing/subscriptions/{id}/change', {
      ...{ params: { id }, body: { planId, cycle: 'monthly' as const, quoteId } },
    })
  const old = `${(Date.now() - 660_000).toString(36)}.${big.prices[0]?.id}`
  expect(await change(big.id, old)).toMatchObject({ status: 409, body: { code: 'quote_expired' } })
  expect((await change(big.id, shown.quoteId)).status).toBe(200)
  expect(await change(big.id)).toMatchObject({
    body: { blocked: expect.arrayContaining(['pending_change']) },
  })
  // The last one in stock is reserved for the change while it is unpaid.
  expect(await buy(await buyer(), big.id)).toMatchObject({ body: { code: 'out_of_stock' } })
  const pending = await one(person, id)
  expect(pending).toMatchObject({ planName: small.name, pendingChange: { planName: big.name } })
  const bill = pending.invoices.find(({ status }) => status === 'open')
  expect(bill?.total).toBe(shown.dueNow)
  await pay(bill?.id, shown.dueNow)
  expect(await one(person, id)).toMatchObject({ planName: big.name, pendingChange: null })

  expect(await preview(small.id)).toMatchObject({
    mode: 'at_period_end',
    dueNow: 0,
    nextAmount: 1000,
  })
  expect((await change(small.id)).status).toBe(200)
  const end = new Date((await one(person, id)).periodEnd ?? '').getTime()
  await runAt(later(-5, end))
  const renewal = (await one(person, id)).invoices.find(({ status }) => status === 'open')
  expect(renewal).toMatchObject({ total: 1000, planName: small.name })
  await pay(renewal?.id, 1000)
  await runAt(later(0, end), 1)
  expect(await one(person, id)).toMatchObject({ planName: small.name, pendingChange: null })
})

test('a trial is free once, is invoiced before it ends, and ends if unpaid', async () => {
  const plan = await makePlan({
    prices: [{ ...MONTHLY, trialDays: 14, setupFee: 500 }],
    limits: { maxServers: 7 },
  })
  const { person, id } = await bought(plan.id)
  expect(await one(person, id)).toMatchObject({ status: 'trialing', invoices: [] })
  const limits = await person.must('GET /api/limits/me')
  expect(limits.limits.find(({ key }) => key === 'maxServers')).toMatchObject({ value: 7 })
  await runAt(later(8))
  expect((await one(person, id)).invoices).toMatchObject([{ total: 1500, status: 'open' }])
  await runAt(later(15))
  expect(await one(person, id)).toMatchObject({
    status: 'canceled',
    invoices: [{ status: 'void' }],
  })
  expect((await buy(person, plan.id)).body).toMatchObject({
    status: 'open',
    invoice: { total: 1500 },
  })
})

test('tax is a line of its own, and a void invoice returns what was paid of it to the balance', async () => {
  const settings = await admin.must('GET /api/billing/settings')
  const tax = { name: 'VAT', basisPoints: 1900 }
  await admin.must('PUT /api/billing/settings', { body: { ...settings, tax } })
  const plan = await makePlan({ prices: [{ ...MONTHLY, amount: 999 }] })
  const { person, invoice } = await bought(plan.id)
  await admin.must('PUT /api/billing/settings', { body: settings })
  expect(invoice?.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['subscription', 999],
    ['tax', 190],
  ])
  await pay(invoice?.id, 100)
  const params = { id: invoice?.id ?? '' }
  await admin.must('POST /api/billing/invoices/{id}/void', { params })
  const again = await admin.call('POST /api/billing/invoices/{id}/void', { params })
  expect(again).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  await pay(invoice?.id, 50)
  expect((await person.must('GET /api/billing')).balances).toEqual([
    { currency: 'EUR', amount: 150 },
  ])
})

test('a voided renewal is free, and a suspended account’s periods are paused', async () => {
  const plan = await makePlan()
  const { person, id, invoice } = await bought(plan.id)
  await pay(invoice?.id, 1000)
  const first = await one(person, id)
  const end = new Date(first.periodEnd ?? '').getTime()
  await runAt(later(-5, end))
  const renewal = (await one(person, id)).invoices.find(({ status }) => status === 'open')
  await admin.must('POST /api/billing/invoices/{id}/void', { params: { id: renewal?.id ?? '' } })
  await runAt(later(-4, end))
  expect((await one(person, id)).invoices.map(({ status }) => status)).toEqual(['void', 'paid'])
  await runAt(later(0, end), 1)
  const renewed = await one(person, id)
  expect(renewed).toMatchObject({ status: 'active', periodStart: first.periodEnd })

  const { items } = await admin.must('GET /api/billing/subscriptions')
  const customer = { params: { id: items.find((found) => found.id === id)?.userId ?? '' } }
  await admin.must('POST /api/customers/{id}/suspend', {
    ...customer,
    body: { reasonCode: 'other', publicReason: '', options: { pauseBilling: true } },
  })
  const paused = await admin.must('GET /api/billing/subscriptions')
  expect(paused.items.find((found) => found.id === id)).toMatchObject({
    ...{ status: 'suspended', suspendedFor: 'account' },
  })
  // Long after its period is over, nothing is billed.
  await runAt(later(90, end))
  await admin.must('DELETE /api/customers/{id}/suspension', { ...customer, query: {} })
  const back = await one(await lodge.session(customer.params.id), id)
  expect(back).toMatchObject({ status: 'active', suspendedFor: null })
  expect(back.invoices).toHaveLength(2)
  expect(Date.parse(back.periodEnd ?? '')).toBeGreaterThan(Date.parse(renewed.periodEnd ?? ''))
})

test('a deleted customer owes nothing, and what was reserved for them is released', async () => {
  const before = await heldMb()
  const plan = await serverPlan({ stock: 1 })
  const { id, invoice } = await bought(plan.id, server())
  const { items } = await admin.must('GET /api/billing/subscriptions')
  const params = { id: items.find((found) => found.id === id)?.userId ?? '' }
  await admin.must('DELETE /api/customers/{id}', { params })
  expect(await heldMb()).toEqual(before)
  const invoices = await admin.must('GET /api/billing/invoices')
  expect(invoices.items.find((found) => found.id === invoice?.id)).toMatchObject({
    ...{ status: 'void', userId: null, number: invoice?.number },
  })
  expect((await admin.must('GET /api/plans/{id}', { params: { id: plan.id } })).available).toBe(1)
})
