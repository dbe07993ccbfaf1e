import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

const key = newKey()
let lodge: Lodge
let admin: Caller

/**
 * Its payments are named `<status>:<amount>:<currency>:<number>:<invoice>`; whoever knows the secret
 * may report them.
 */
const PROVIDER = `
const known = new Map()
export default (host) => ({
  payment: {
    payInvoice: ({ invoice, successUrl }) => ({ ref: 'page', redirectUrl: successUrl + '?pay=' + invoice.amountDue, instructions: null }),
    verifyWebhook({ headers, bodyBase64 }) {
      if (headers['x-word'] !== 'open sesame') throw host.refusal('bad_signature', 'Who are you?')
      return { events: JSON.parse(Buffer.from(bodyBase64, 'base64').toString()) }
    },
    fetch({ kind, ref }) {
      const [status, amount, currency, number, invoiceId] = ref.split(':')
      if (number === 'never') return { object: null }
      // The late payment is known from the second query on.
      if (number === 'late' && !known.has(ref)) { known.set(ref, true); return { object: null } }
      return { object: { kind: 'payment', ref, status, currency, amount: Number(amount), amountRefunded: 0,
        failure: null, metadata: { invoiceId } } }
    },
  },
})`

beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
  await addProvider(admin, 'pay-test', PROVIDER, key)
})
afterAll(() => lodge[Symbol.asyncDispose]())

const report = async (events: readonly object[], word = 'open sesame', provider = 'pay-test') => {
  const { statusCode: status, body } = await lodge.anonymous().send({
    method: 'POST',
    url: `/api/billing/webhooks/${provider}`,
    headers: { 'content-type': 'application/json', 'x-word': word },
    payload: JSON.stringify(events),
  })
  return { status, body: JSON.parse(body) as unknown }
}
const event = (id: string, ref: string) => ({
  ...{ id, type: 'paid', occurredAt: new Date().toISOString() },
  objects: [{ kind: 'payment', ref }],
})

async function buy(person: Caller, amount: number, currency = 'EUR') {
  const plan = await admin.must('POST /api/plans', {
    body: {
      ...{ name: `Plan ${Math.random()}`, kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount, currency }],
    },
  })
  const { invoice } = await person.must('POST /api/store/checkout', {
    body: { planId: plan.id, cycle: 'monthly' },
  })
  return { id: invoice?.id ?? '', number: invoice?.number ?? '' }
}
async function buyer() {
  const { id, email } = await lodge.customer()
  return lodge.session(id, email)
}
async function bought() {
  const person = await buyer()
  return { person, invoiceId: (await buy(person, 1000)).id }
}
async function settle() {
  for (let round = 0; round < 4; round += 1) {
    await lodge.database.pool.query(
      'update provider_events set next_at = now() where next_at is not null',
    )
    await projectEvents(lodge.controlPlane.services, new Date(Date.now() + 1000))
  }
}

test('an invoice is paid at the provider’s page, which leads back to billing', async () => {
  const { person, invoiceId } = await bought()
  expect((await person.must('GET /api/billing')).waysToPay).toEqual([
    { id: 'pay-test', name: 'Sample', portal: false, autoCharge: false, saveMethod: false },
  ])
  const pay = (caller: Caller, provider: string) =>
    caller.call('POST /api/billing/invoices/{id}/pay', {
      ...{ params: { id: invoiceId }, body: { provider } },
    })
  const { body } = await pay(person, 'pay-test')
  expect(body).toMatchObject({ redirectUrl: expect.stringMatching(/\/billing\?pay=1000$/) })
  expect(await pay(person, 'another')).toMatchObject({ status: 409 })
  expect(await pay((await bought()).person, 'pay-test')).toMatchObject({ status: 404 })
})

test('duplicate, late and reordered events lead to one state, and no payment is lost', async () => {
  const states: unknown[] = []
  const orders = [
    [0, 1, 2, 3, 0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 2, 0, 3, 1, 0],
  ]
  for (const order of orders) {
    const { person, invoiceId } = await bought()
    const of = (status: string, amount: number, number: string) =>
      event(`${invoiceId} ${number} ${status}`, `${status}:${amount}:EUR:${number}:${invoiceId}`)
    const events = [
      of('processing', 400, 'first'),
      of('succeeded', 400, 'late'),
      of('succeeded', 700, 'second'),
      of('failed', 300, 'third'),
    ]
    for (const at of order) {
      const answer = await report([events[at] ?? {}])
      expect(answer).toEqual({ status: 200, body: { received: true } })
      await settle()
    }
    const { subscriptions, invoices, balances } = await person.must('GET /api/billing')
    states.push({
      status: subscriptions[0]?.status,
      invoice: invoices.map(({ status, amountPaid }) => [status, amountPaid]),
      payments: invoices[0]?.payments.map(({ amount }) => amount).sort(),
      balances,
    })
  }
  const state = {
    ...{ status: 'active', invoice: [['paid', 1000]], payments: [400, 700] },
    balances: [{ currency: 'EUR', amount: 100 }],
  }
  expect(states).toEqual([state, state, state])
})

describe('all open invoices', () => {
  const payAll = (person: Caller, provider = 'pay-test') =>
    person.call('POST /api/billing/pay-all', { body: { provider } })
  const markPaid = (id: string, amount: number) =>
    admin.must('POST /api/billing/invoices/{id}/mark-paid', { params: { id }, body: { amount } })
  /** What became of each invoice, the oldest first, and what is in hand. */
  async function state(person: Caller) {
    const { subscriptions, invoices, balances } = await person.must('GET /api/billing')
    return {
      invoices: invoices.toReversed().map(({ status, amountPaid }) => [status, amountPaid]),
      active: subscriptions.filter(({ status }) => status === 'active').length,
      inHand: balances.map(({ currency, amount }) => [currency, amount]),
    }
  }

  test('are asked for in one sum for each currency, and paid once by whichever payment arrives', async () => {
    const person = await buyer()
    const first = await buy(person, 1000)
    const others = [await buy(person, 500), await buy(person, 300)]
    const yen = await buy(person, 900, 'JPY')
    const [asked, again] = [await payAll(person), await payAll(person)]
    expect(asked.body).toMatchObject({
      invoices: [first, ...others, yen].map(({ id }) => ({ id, outcome: 'asked' })),
      sums: [
        {
          ...{ currency: 'EUR', amount: 1800, reference: first.number, failure: null },
          ...{ redirectUrl: expect.stringMatching(/pay=1800$/) },
          invoiceIds: [first, ...others].map(({ id }) => id),
        },
        { currency: 'JPY', amount: 900, redirectUrl: expect.stringMatching(/pay=900$/) },
      ],
    })
    expect(again.body).toEqual(asked.body)
    await report([event(first.id, `succeeded:1800:EUR:sum:${first.id}`)])
    await report([event(`${first.id} again`, `succeeded:1800:EUR:sum:${first.id}`)])
    await settle()
    expect(await state(person)).toEqual({
      invoices: [
        ['paid', 1000],
        ['paid', 500],
        ['paid', 300],
        ['open', 0],
      ],
      ...{ active: 3, inHand: [] },
    })
  })

  test('lose nothing of a sum though one was paid, voided or asked for anew meanwhile', async () => {
    const person = await buyer()
    const [first, second, third, fourth] = [
      await buy(person, 1000),
      await buy(person, 500),
      await buy(person, 300),
      await buy(person, 200),
    ]
    await payAll(person)
    await markPaid(first.id, 1000)
    await admin.must('POST /api/billing/invoices/{id}/void', { params: { id: second.id } })
    const { body } = await payAll(person)
    expect(body).toMatchObject({ sums: [{ amount: 500, reference: third.number }] })
    // The page of before was still open, and somebody paid there, too.
    await Promise.all([
      report([event(`${first.id} old`, `succeeded:2000:EUR:old:${first.id}`)]).then(settle),
      markPaid(fourth.id, 200),
    ])
    await settle()
    expect(await state(person)).toEqual({
      invoices: [
        ['paid', 1000],
        ['void', 0],
        ['paid', 300],
        ['paid', 200],
      ],
      ...{ active: 3, inHand: [['EUR', 1700]] },
    })
    expect(await payAll(person)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    // What is in hand by then is used first, as far as it goes, and counts once as money that arrived.
    const last = await buy(person, 2000)
    expect(await state(person)).toMatchObject({ inHand: [] })
    await markPaid(third.id, 100)
    const rest = await payAll(person)
    expect(rest.body).toMatchObject({ sums: [{ amount: 200, reference: last.number }] })
    const arrived = await lodge.database.pool.query<{ sum: string }>(
      `select sum(amount) from invoice_payments join invoices on invoices.id = invoice_id
       where user_id = $1 and provider <> 'balance'`,
      [person.id],
    )
    expect(Number(arrived.rows[0]?.sum)).toBe(1000 + 2000 + 200 + 100)
  })

  test('are refused to other ways to pay, and to who owes nothing', async () => {
    const person = await buyer()
    expect(await payAll(person)).toMatchObject({ status: 409 })
    await buy(person, 1000)
    expect(await payAll(person, 'another')).toMatchObject({ status: 409 })
  })
})

test('an unsigned webhook changes nothing, and its response does not say why', async () => {
  const { person, invoiceId } = await bought()
  const forged = event('forged', `succeeded:1000:EUR:forged:${invoiceId}`)
  const refused = await report([forged], 'open says me')
  expect(refused).toMatchObject({ status: 400, body: { code: 'webhook_refused' } })
  expect((await report([forged], 'open sesame', 'unknown')).status).toBe(404)
  // A payment of another installation, in another currency, or of no invoice.
  for (const [id, ref] of [
    ['other', 'succeeded:1000:EUR:a:00000000-0000-7000-8000-000000000000'],
    ['yen', `succeeded:1000:JPY:b:${invoiceId}`],
    ['no', 'succeeded:1000:EUR:c:'],
  ] as const)
    expect((await report([event(id, ref)])).status).toBe(200)
  await settle()
  expect((await person.must('GET /api/billing')).invoices[0]).toMatchObject({ amountPaid: 0 })
  const { items } = await admin.must('GET /api/billing/events')
  const stateOf = (type: string) => items.filter(({ state }) => state === type).length
  expect([stateOf('ignored') > 1, stateOf('waiting')]).toEqual([true, 1])
  const waiting = items.find(({ state }) => state === 'waiting')
  expect(waiting?.failure).toBe('It was paid in JPY, not in EUR')
  const uninstall = await admin.call('DELETE /api/plugins/{plugin}', {
    params: { plugin: 'pay-test' },
  })
  expect(uninstall).toMatchObject({ status: 409, body: { code: 'plugin_in_use' } })
  const replay = { params: { eventId: waiting?.id ?? '' } }
  await admin.must('POST /api/billing/events/{eventId}/replay', replay)
})

test('what the provider does not know is looked at four times more, and then left alone', async () => {
  const { invoiceId } = await bought()
  const ref = `succeeded:1000:EUR:never:${invoiceId}`
  expect((await report([event('nothing', ref)])).status).toBe(200)
  for (let round = 0; round < 2; round += 1) await settle()
  const { rows } = await lodge.database.pool.query(
    `select state, attempts from provider_events where event_id = 'nothing'`,
  )
  expect(rows).toEqual([{ state: 'ignored', attempts: 5 }])
  const dead = await admin.must('GET /api/billing/events', { query: { state: 'dead' } })
  expect(dead.items.filter(({ state }) => state !== 'dead')).toEqual([])
})
