import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import { refundDue } from '../../../control-plane/src/domains/billing/refunds/refund-due.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { textsOf } from '../../support/pdf-text.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const key = newKey()
let lodge: Lodge
let admin: Caller

/**
 * Payments are named `<amount>:<number>:<invoice>`; the provider stores refunds by idempotency key.
 */
const PROVIDER = `
const back = new Map()
const sum = (ref) => [...back.values()].filter((one) => one.paymentRef === ref).reduce((all, one) => all + one.amount, 0)
const asked = new Set()
export default (host) => ({
  payment: {
    payInvoice: () => ({ ref: 'page', redirectUrl: 'https://pay.example', instructions: null }),
    verifyWebhook: ({ bodyBase64 }) => ({ events: JSON.parse(Buffer.from(bodyBase64, 'base64').toString()) }),
    refund({ paymentRef, amount, key }) {
      if (amount === 13) throw host.refusal('too_late', 'This payment is too old')
      const isNew = !back.has(key)
      back.set(key, { paymentRef, amount })
      // The response to the first call about this amount gets lost.
      if (amount === 77 && isNew) throw new Error('the line is dead')
      return { ref: 're_' + key, status: amount === 55 ? 'pending' : 'succeeded' }
    },
    fetch({ ref }) {
      const [amount, number, invoiceId] = ref.split(':')
      if (number === 'silent' && sum(ref) > 0 && !asked.has(ref)) {
        asked.add(ref)
        throw host.refusal('not_now', 'Ask again later')
      }
      const other = number === 'outside' ? 300 : 0
      const amountRefunded = sum(ref) + other
      return { object: { kind: 'payment', ref, currency: 'EUR', amount: Number(amount), amountRefunded,
        status: amountRefunded === Number(amount) ? 'refunded' : 'succeeded', failure: null, metadata: { invoiceId } } }
    },
  },
})`

beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
  await addProvider(admin, 'pay-back', PROVIDER, key)
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function bought() {
  const plan = await admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }],
    },
  })
  const { id, email } = await lodge.customer()
  const person = await lodge.session(id, email)
  const { id: subscriptionId, invoice } = await person.must('POST /api/store/checkout', {
    body: { planId: plan.id, cycle: 'monthly' },
  })
  return { person, subscriptionId, id: invoice?.id ?? '' }
}
const byTransfer = (id: string, amount: number) =>
  admin.must('POST /api/billing/invoices/{id}/mark-paid', { params: { id }, body: { amount } })
async function report(ref: string) {
  await lodge.anonymous().send({
    method: 'POST',
    url: '/api/billing/webhooks/pay-back',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify([
      {
        ...{ id: randomUUID(), type: 'charge.refunded', occurredAt: new Date().toISOString() },
        objects: [{ kind: 'payment', ref }],
      },
    ]),
  })
  await projectEvents(lodge.controlPlane.services, new Date(Date.now() + 1000))
}
/** An invoice paid through the provider. */
async function paidOnline(number = 'one') {
  const one = await bought()
  const ref = `1000:${number}:${one.id}`
  await report(ref)
  return { ...one, ref }
}
const refund = (id: string, body: object) =>
  admin.call('POST /api/billing/invoices/{id}/refund', {
    params: { id },
    body: { way: 'host', subscription: 'keep', ...body } as never,
  })
async function invoiceNow(person: Caller) {
  const { invoices, subscriptions, balances } = await person.must('GET /api/billing')
  const [invoice] = invoices
  if (!invoice) throw new Error('no invoice')
  return { ...invoice, status: subscriptions[0]?.status, ending: subscriptions[0], balances }
}
/** Waits until every due refund was tried by the periodic task; optionally lets time pass first. */
async function due(minutes = 0): Promise<void> {
  if (minutes > 0)
    await refundDue(lodge.controlPlane.services, new Date(Date.now() + minutes * 60_000))
  await until(async () => {
    const { rowCount } = await lodge.database.pool.query(
      'select from refunds where next_at <= now()',
    )
    return rowCount === 0
  })
}

test('ten concurrent refunds return at most what was paid, each with the next number of a credit note', async () => {
  const { person, id, subscriptionId } = await bought()
  expect(await refund(id, { amount: 1 })).toMatchObject({ body: { code: 'invalid_state' } })
  await byTransfer(id, 1200)
  const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { amount: 300 })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  for (const { status, body } of answers)
    if (status !== 200) expect(body).toMatchObject({ status: 409, code: 'refund_too_much' })
  expect((await refund(id, { amount: 100, way: 'balance', reason: 'Sorry' })).status).toBe(200)
  const now = await invoiceNow(person)
  expect(now).toMatchObject({ amountRefunded: 1000, refundable: 0, status: 'active' })
  expect(now.balances).toEqual([{ currency: 'EUR', amount: 300 }])
  // Concurrent refunds are numbered in the order in which they committed.
  const numbers = now.refunds.map(({ number }) => Number(number?.slice(-6)))
  expect(numbers.toSorted()).toEqual([1, 2, 3, 4])
  const note = await person.send({
    method: 'GET',
    url: `/api/billing/credit-notes/${now.refunds[3]?.id}/pdf`,
  })
  const text = textsOf(note.rawPayload).join('')
  for (const part of [
    'Credit note',
    now.refunds[3]?.number ?? '',
    now.number,
    '-1.00 EUR',
    'Sorry',
  ])
    expect.soft(text).toContain(part)
  const { rows } = await lodge.database.pool.query(
    `select count(*)::int as mails from email_messages where template like 'billing\\_refunded%' and user_id = $1`,
    [person.id],
  )
  expect(rows).toEqual([{ mails: 4 }])
  const left = await admin.call('POST /api/billing/subscriptions/{id}/refund', {
    ...{ params: { id: subscriptionId }, body: { rest: 'balance' } },
  })
  expect(left).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
})

test('a provider refunds once even if its response is lost, and its refusals are reported', async () => {
  const { person, id } = await paidOnline()
  const paid = await invoiceNow(person)
  const payment = paid.payments[0]
  expect(payment).toMatchObject({ provider: 'pay-back', refundable: 1000 })
  const back = { way: 'provider', paymentId: payment?.id }
  expect(await refund(id, { amount: 1, way: 'provider' })).toMatchObject({ status: 400 })
  expect(await refund(id, { amount: 1, paymentId: payment?.id })).toMatchObject({ status: 400 })
  expect(await refund(id, { amount: 1, way: 'provider', paymentId: randomUUID() })).toMatchObject({
    status: 400,
  })
  for (const amount of [77, 55, 13, 200]) await refund(id, { ...back, amount })
  expect(await refund(id, { ...back, amount: 656 })).toMatchObject({
    body: { code: 'refund_too_much' },
  })
  await due()
  const states = async () =>
    (await invoiceNow(person)).refunds.map(({ amount, state }) => `${amount} ${state}`)
  expect(await states()).toEqual(['77 pending', '55 pending', '13 failed', '200 succeeded'])
  const failed = (await admin.must('GET /api/billing/invoices')).items.find((one) => one.id === id)
  expect(failed?.refunds[2]?.failure).toContain('This payment is too old')
  await due(61)
  expect(await states()).toEqual(['77 succeeded', '55 succeeded', '13 failed', '200 succeeded'])
  expect(await invoiceNow(person)).toMatchObject({ amountRefunded: 332, refundable: 668 })
  await due(600)
  expect(await invoiceNow(person)).toMatchObject({ amountRefunded: 332 })
})

test('a refund that the provider accepted stays pending until the provider reports on it', async () => {
  const { person, id } = await paidOnline('silent')
  const [payment] = (await invoiceNow(person)).payments
  await refund(id, { amount: 55, way: 'provider', paymentId: payment?.id })
  const stateAfter = async (minutes: number) => {
    await due(minutes)
    return (await invoiceNow(person)).refunds[0]?.state
  }
  expect([await stateAfter(0), await stateAfter(61), await stateAfter(125)]).toEqual([
    ...['pending', 'pending', 'succeeded'],
  ])
})

test('a refund made on the provider’s own pages is recorded once, and ours is not counted twice', async () => {
  const { person, id, ref } = await paidOnline('outside')
  await report(ref)
  const once = await invoiceNow(person)
  expect(once).toMatchObject({ amountPaid: 1000, amountRefunded: 300 })
  await refund(id, {
    ...{ amount: 700, way: 'provider', paymentId: once.payments[0]?.id },
    subscription: 'end_of_period',
  })
  await due()
  await report(ref)
  await report(ref)
  const whole = await invoiceNow(person)
  expect(whole.refunds.map(({ amount, state }) => `${amount} ${state}`).sort()).toEqual([
    '300 succeeded',
    '700 succeeded',
  ])
  expect(whole).toMatchObject({ status: 'active', ending: { cancelAtPeriodEnd: true } })
})

test('a server that could not be created is refunded the way it was paid, and its subscription ends', async () => {
  const { person, subscriptionId } = await paidOnline()
  await lodge.database.pool.query(
    `insert into server_orders (id, subscription_id, name, template_id, preset, state, next_at)
     values (gen_random_uuid(), $1, 'lost', gen_random_uuid(), '{}', 'failed', now() + interval '1 hour')`,
    [subscriptionId],
  )
  const params = { id: subscriptionId }
  const ended = await admin.must('POST /api/billing/subscriptions/{id}/refund', {
    ...{ params, body: { rest: 'balance' } },
  })
  expect(ended).toMatchObject({ status: 'canceled', server: { state: 'released' } })
  await due()
  expect(await invoiceNow(person)).toMatchObject({
    refunds: [{ amount: 1000, way: 'provider', state: 'succeeded' }],
  })
})

test('a customer whose server could not be made is told, and takes their money back a day later', async () => {
  const { person, subscriptionId } = await paidOnline()
  const query = (text: string) => lodge.database.pool.query(text, [subscriptionId])
  await query(
    `insert into server_orders (id, subscription_id, name, template_id, preset, state, attempts, next_at)
     values (gen_random_uuid(), $1, 'lost', gen_random_uuid(), '{"templateIds": [], "locations": "any",
       "memoryMb": 64, "cpuPercent": 1, "diskMb": 64}', 'waiting', 3, now())`,
  )
  await provisionDue(lodge.controlPlane.services)
  await until(async () => {
    const { items } = await person.must('GET /api/notifications')
    return items.some(({ type }) => type === 'subscription.server_delayed')
  })
  const takeBack = () =>
    person.call('POST /api/billing/subscriptions/{id}/take-back', {
      params: { id: subscriptionId },
    })
  expect(await takeBack()).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  const server = async () => (await invoiceNow(person)).ending?.server
  expect(await server()).toMatchObject({ state: 'failed', refundOffered: false })
  await query(
    `update billing_steps set done_at = done_at - interval '1 day' where subscription_id = $1`,
  )
  expect(await server()).toMatchObject({ refundOffered: true })
  expect((await takeBack()).status).toBe(200)
  await due()
  expect(await invoiceNow(person)).toMatchObject({
    ...{ status: 'canceled', refunds: [{ amount: 1000, way: 'provider', state: 'succeeded' }] },
  })
})
