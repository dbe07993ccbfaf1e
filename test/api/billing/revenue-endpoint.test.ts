import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
let planId: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  const plan = await admin.must('POST /api/plans', {
    body: {
      ...{ name: '=Start, "small"', kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'quarterly', amount: 3000, currency: 'CHF' }],
    },
  })
  planId = plan.id
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function subscriber() {
  const { id, email } = await lodge.customer()
  const person = await lodge.session(id, email)
  const checkout = await person.must('POST /api/store/checkout', {
    body: { planId, cycle: 'quarterly' },
  })
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: checkout.invoice?.id ?? '' },
    body: { amount: 3000 },
  })
  return { id, subscriptionId: checkout.id }
}
const francs = async () => {
  const { currencies } = await admin.must('GET /api/billing/revenue', { query: {} })
  return currencies.find(({ currency }) => currency === 'CHF')
}
const DAY_MS = 86_400_000
const dateOf = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

test('pausing and deleting an account count as churn, and payments stay in the report', async () => {
  const [one, other] = [await subscriber(), await subscriber()]
  const customer = { params: { id: one.id } }
  expect((await francs())?.total.recurring).toMatchObject({ new: 2000, end: 2000 })
  await admin.must('POST /api/customers/{id}/suspend', {
    ...customer,
    body: { reasonCode: 'other', options: { pauseBilling: true } },
  })
  expect((await francs())?.total).toMatchObject({
    recurring: { churned: 1000, end: 1000 },
    customers: { churned: 1, end: 1 },
  })
  await admin.must('DELETE /api/customers/{id}/suspension', customer)
  expect((await francs())?.total.recurring).toMatchObject({ reactivated: 1000, end: 2000 })
  await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', {
    params: { id: other.subscriptionId },
  })
  await admin.must('DELETE /api/customers/{id}', customer)
  const after = await francs()
  expect(after?.total).toMatchObject({
    recurring: { new: 2000, reactivated: 1000, churned: 3000, end: 0 },
    ...{ customers: { start: 0, new: 2, reactivated: 1, churned: 3, end: 0 }, paid: 6000 },
  })
  expect(after?.prices).toMatchObject([
    { planId, cycle: 'quarterly', subscriptions: { start: 0, came: 3, left: 3, end: 0 } },
  ])
  const { rows } = await lodge.database.pool.query(
    `select has_table_privilege($1, 'revenue_entries', 'insert') as adds,
       has_table_privilege($1, 'revenue_entries', 'update, delete') as alters`,
    [new URL(lodge.database.application.url).username],
  )
  expect(rows).toEqual([{ adds: true, alters: false }])
})

test('the CSV has a row for each month or price, with amounts in the main unit', async () => {
  await subscriber()
  const file = async (query: string) => {
    const { statusCode, body, headers } = await admin.send({
      ...{ method: 'GET', url: `/api/billing/revenue.csv${query}` },
    })
    expect([statusCode, headers['content-disposition']]).toEqual([
      ...[200, 'attachment; filename="revenue.csv"'],
    ])
    return body.split('\r\n')
  }
  const lines = await file(`?from=${dateOf(0)}&currency=CHF`)
  expect(lines[0]).toBe(
    'currency,from,to,mrr_start,mrr_new,mrr_reactivated,mrr_expansion,mrr_contraction,mrr_churned,mrr_end,' +
      'customers_start,customers_new,customers_reactivated,customers_churned,customers_end,' +
      'customer_churn_percent,revenue_churn_percent,mrr_per_customer,invoices,invoiced_net,invoiced_tax,' +
      'credit_notes,credit_notes_net,credit_notes_tax,' +
      'paid,refunded,credited,fell_overdue,overdue_at_end,overdue_amount_at_end',
  )
  expect(lines).toHaveLength(3)
  expect(lines[1]).toMatch(
    /^CHF,\d{4}-\d\d-01,\d{4}-\d\d-\d\d,0\.00,30\.00,10\.00,0\.00,0\.00,30\.00,10\.00,0,3,1,3,1,,,10\.00,3,90\.00,0\.00,0,0\.00,0\.00,90\.00,0\.00,0\.00,0,0,0\.00$/,
  )
  const prices = await file('?rows=price')
  expect(prices[1]).toMatch(
    /^CHF,[\w-]{36},"'=Start, ""small""",[\w-]{36},quarterly,30\.00,0\.00,10\.00,0,4,3,1$/,
  )
  expect(await file('?currency=USD&rows=price')).toHaveLength(2)
})

test('a report has at most 60 periods that have begun, and needs the permission to view billing', async () => {
  for (const [query, pointer] of [
    [{ from: dateOf(-61 * 31) }, '/from'],
    [{ from: dateOf(-61 * 7), by: 'week' }, '/from'],
    [{ from: dateOf(-10), to: dateOf(-60) }, '/from'],
    [{ from: '0000-01-01', to: '0001-01-01' }, '/from'],
    [{ to: '2000-01-01' }, '/to'],
    [{ to: dateOf(2) }, '/to'],
    [{ currency: 'XXQ' }, '/currency'],
    [{ timeZone: 'Mars/Olympus' }, '/timeZone'],
    [{ by: 'day' }, '/by'],
    [{ periods: 61 }, '/periods'],
  ] as const) {
    const refused = await admin.call('GET /api/billing/revenue', { query: query as object })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
    const { statusCode } = await admin.send({
      ...{ method: 'GET', url: `/api/billing/revenue.csv?${new URLSearchParams(query as never)}` },
    })
    expect(statusCode).toBe(400)
  }
  const sixty = await admin.must('GET /api/billing/revenue', {
    query: { by: 'week', from: dateOf(-59 * 7), currency: 'CHF' },
  })
  expect(sixty.currencies[0]?.periods).toHaveLength(60)
  const { id, email } = await lodge.customer()
  const customer = await lodge.session(id, email)
  const other = await lodge.limitedAdmin(['plans.view', 'billing.settings'])
  for (const caller of [customer, other])
    expect((await caller.call('GET /api/billing/revenue', { query: {} })).status).toBe(403)
  const viewer = await lodge.limitedAdmin(['billing.view'])
  expect((await viewer.call('GET /api/billing/revenue', { query: {} })).status).toBe(200)
})

test('a subscription that several requests end concurrently churns once', async () => {
  const { subscriptionId } = await subscriber()
  const end = () =>
    admin.call('POST /api/billing/subscriptions/{id}/cancel-now', {
      params: { id: subscriptionId },
    })
  const answers = await Promise.all([end(), end(), end()])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const { rows } = await lodge.database.pool.query(
    'select amount::int, balance::int from revenue_entries where subscription_id = $1 order by id',
    [subscriptionId],
  )
  expect(rows).toEqual([
    { amount: 1000, balance: 1000 },
    { amount: -1000, balance: 0 },
  ])
})
