import { createHmac } from 'node:crypto'
import { PAYMENT_METHODS } from '@lodge/shared/plugins/payment.ts'
import { expect, test } from 'vitest'
import type { Handlers, Host, Reply } from '../sdk/index.ts'
import plugin from './main.ts'
import { fromStripe, toStripe } from './money.ts'

const SECRET = 'whsec_0123456789abcdef'
interface Asked {
  readonly method: string | undefined
  readonly url: string
  readonly key: string | undefined
  readonly form: Readonly<Record<string, string>>
}

/** The plugin at a Stripe that gives these answers in turn, and what it asked for. */
async function withAnswers(...answers: (readonly [status: number, body: object])[]) {
  const asked: Asked[] = []
  const host: Host = {
    settings: { secretKey: 'sk_test_0123456789', webhookSecret: SECRET, tax: 'automatic' },
    lodgeVersion: '1.0.0',
    async fetch(url, { method, headers, body } = {}): Promise<Reply> {
      expect(headers).toMatchObject({
        authorization: 'Bearer sk_test_0123456789',
        'stripe-version': '2026-10-28.endive',
      })
      const key = headers?.['idempotency-key']
      asked.push({ method, url, key, form: Object.fromEntries(new URLSearchParams(body)) })
      const [status, answer] = answers.shift() ?? [500, { error: { message: 'no more answers' } }]
      return { status, headers: {}, text: JSON.stringify(answer) }
    },
    storage: { get: async () => null, set: async () => undefined, delete: async () => undefined },
    async *readFile() {},
    refusal: (code, message) => Object.assign(new Error(message), { code }),
  }
  const handlers: Handlers = await plugin(host)
  return { payment: handlers.payment!, health: handlers.health!, asked }
}

const customer = {
  ...{ id: '0b0f3c1e-6a53-4d0e-9a0b-0c7f3a9c2d11', email: 'ada@example.com', name: 'Ada' },
  ref: 'cus_1',
}
const SUBSCRIPTION = {
  ...{ object: 'subscription', id: 'sub_1', status: 'unpaid', customer: 'cus_1' },
  ...{ cancel_at_period_end: false, latest_invoice: 'in_1', metadata: { lodge: 'one' } },
  items: {
    data: [
      {
        ...{ id: 'si_1', current_period_start: 1_790_000_000, current_period_end: 1_792_592_000 },
        price: { id: 'price_1' },
      },
    ],
  },
}

test('a subscription is bought on a page of Stripe, with its metadata and tax', async () => {
  const { payment, asked } = await withAnswers([200, { id: 'cs_1', url: 'https://pay.example/1' }])
  const opened = await payment.createCheckout?.({
    ...{ customer, currency: 'EUR', mode: 'subscription', trialEnd: '2026-12-24T00:00:00.000Z' },
    lines: [
      { description: 'Starter', quantity: 1, amount: 999, priceRef: 'price_1' },
      { description: 'Set-up', quantity: 1, amount: 500, priceRef: null },
    ],
    ...{ successUrl: 'https://panel.test/yes', cancelUrl: 'https://panel.test/no' },
    ...{ expiresAt: new Date().toISOString(), reference: 'C-1', metadata: { lodge: 'one' } },
    key: 'key-1',
  })
  expect(opened).toEqual({ ref: 'cs_1', redirectUrl: 'https://pay.example/1', instructions: null })
  expect(asked[0]).toMatchObject({
    ...{ method: 'POST', url: 'https://api.stripe.com/v1/checkout/sessions', key: 'key-1' },
    form: {
      ...{ mode: 'subscription', customer: 'cus_1', 'automatic_tax[enabled]': 'true' },
      'line_items[0][price]': 'price_1',
      'line_items[1][price_data][unit_amount]': '500',
      'line_items[1][price_data][currency]': 'eur',
      'subscription_data[metadata][lodge]': 'one',
      'subscription_data[trial_end]': '1798070400',
    },
  })
  // Stripe keeps a page open for half an hour at least.
  expect(Number(asked[0]?.form.expires_at)).toBeGreaterThan(Date.now() / 1000 + 1800)
})

test('every cycle has its price, which is made once', async () => {
  const price = { ...{ id: customer.id, planName: 'Starter', currency: 'ISK', amount: 1200 } }
  for (const [cycle, interval, count] of [
    ['weekly', 'week', '1'],
    ['quarterly', 'month', '3'],
    ['triennial', 'year', '3'],
  ] as const) {
    const { payment, asked } = await withAnswers([200, { data: [] }], [200, { id: 'price_1' }])
    expect(await payment.ensurePrice?.({ price: { ...price, cycle }, key: 'k' })).toEqual({
      ref: 'price_1',
    })
    expect(asked[1]?.form).toMatchObject({
      ...{ 'recurring[interval]': interval, 'recurring[interval_count]': count },
      ...{ unit_amount: '120000', currency: 'isk', lookup_key: `lodge_${customer.id}` },
    })
  }
  const { payment, asked } = await withAnswers([200, { data: [{ id: 'price_0' }] }])
  await payment.ensurePrice?.({ price: { ...price, cycle: 'yearly' }, key: 'k' })
  expect(asked).toHaveLength(1)
})

test.each([
  ['EUR', 1999, 1999],
  ['HUF', 1999, 1999],
  ['JPY', 500, 500],
  ['ISK', 500, 50_000],
  ['UGX', 500, 50_000],
  ['KWD', 1234, 1230],
])('an amount of %s is counted as Stripe counts it', (currency, ours, theirs) => {
  expect(toStripe(ours, currency)).toBe(theirs)
  expect(fromStripe(theirs, currency)).toBe(currency === 'KWD' ? 1230 : ours)
})

test('what Stripe says of an object is read in our form', async () => {
  const INVOICE = {
    ...{ id: 'in_1', status: 'paid', currency: 'eur', subtotal: 1000, total: 1190 },
    ...{ total_excluding_tax: 1000, amount_paid: 1190, metadata: {} },
    parent: { subscription_details: { subscription: 'sub_1' } },
    payments: { data: [{ payment: { type: 'payment_intent', payment_intent: 'pi_1' } }] },
    hosted_invoice_url: 'https://invoice.example/1',
    status_transitions: { paid_at: 1_790_000_000 },
  }
  const CHECKOUT = {
    ...{ id: 'cs_1', status: 'complete', payment_status: 'unpaid', customer: { id: 'cus_1' } },
    ...{ subscription: null, invoice: null, payment_intent: 'pi_1', currency: 'eur' },
    ...{ amount_total: 1190, metadata: null },
  }
  const PAYMENT = {
    ...{ id: 'pi_1', status: 'succeeded', currency: 'eur', amount: 1190, metadata: {} },
    latest_charge: { amount_refunded: 190, refunded: false, disputed: true },
  }
  const disputes = (...statuses: string[]) => ({
    data: statuses.map((status, at) => ({
      ...{ id: `dp_${at + 1}`, status, amount: 1000, currency: 'eur' },
      reason: 'product_not_received',
    })),
  })
  const { payment, asked } = await withAnswers(
    ...[SUBSCRIPTION, INVOICE, CHECKOUT, PAYMENT, disputes('needs_response')].map(
      (one) => [200, one] as const,
    ),
    [404, { error: { code: 'resource_missing' } }],
  )
  const fetch = async (kind: 'subscription' | 'invoice' | 'checkout' | 'payment') =>
    PAYMENT_METHODS['payment.fetch'].reply.parse(await payment.fetch?.({ kind, ref: 'x' })).object
  expect(await fetch('subscription')).toMatchObject({
    ...{ status: 'suspended', priceRef: 'price_1', latestInvoiceRef: 'in_1' },
    ...{ periodEnd: '2026-10-21T14:13:20.000Z', metadata: { lodge: 'one' } },
  })
  expect(await fetch('invoice')).toMatchObject({
    ...{ subscriptionRef: 'sub_1', tax: 190, total: 1190, paymentRef: 'pi_1', status: 'paid' },
  })
  expect(await fetch('checkout')).toMatchObject({ status: 'processing', customerRef: 'cus_1' })
  expect(await fetch('payment')).toMatchObject({
    ...{ status: 'disputed', amountRefunded: 190 },
    disputes: [{ ref: 'dp_1', state: 'open', amount: 1000, reason: 'product not received' }],
  })
  expect(asked.at(-1)?.url).toContain('/disputes?payment_intent=pi_1')
  expect(await fetch('payment')).toBeNull()
  for (const [said, status, told] of [
    [['won'], 'succeeded', ['dp_1 won']],
    [['lost'], 'disputed', ['dp_1 lost']],
    [['warning_needs_response'], 'succeeded', []],
    // Stripe lists the newest first.
    [['won', 'prevented', 'lost'], 'disputed', ['dp_3 lost', 'dp_2 won', 'dp_1 won']],
  ] as const) {
    const { payment } = await withAnswers([200, PAYMENT], [200, disputes(...said)])
    const answer = await payment.fetch?.({ kind: 'payment', ref: 'pi_1' })
    const { object } = PAYMENT_METHODS['payment.fetch'].reply.parse(answer)
    if (object?.kind !== 'payment') throw new Error('no payment')
    expect(object.status).toBe(status)
    expect(object.disputes?.map(({ ref, state }) => `${ref} ${state}`)).toEqual(told)
  }
})

test('a subscription is changed, cancelled, resumed and paused', async () => {
  const { payment, asked } = await withAnswers(...Array(6).fill([200, SUBSCRIPTION]))
  const given = { subscriptionRef: 'sub_1', key: 'k' }
  await payment.changeSubscription?.({ ...given, priceRef: 'price_2', when: 'period_end' })
  await payment.cancel?.({ ...given, when: 'now' })
  await payment.cancel?.({ ...given, when: 'period_end' })
  await payment.resume?.(given)
  await payment.pauseCollection?.({ ...given, paused: false })
  expect(asked.slice(1).map(({ method, form }) => ({ method, ...form }))).toEqual([
    {
      ...{ method: 'POST', 'items[0][id]': 'si_1', 'items[0][price]': 'price_2' },
      proration_behavior: 'none',
    },
    { method: 'DELETE' },
    { method: 'POST', cancel_at_period_end: 'true' },
    { method: 'POST', cancel_at_period_end: 'false' },
    { method: 'POST', pause_collection: '' },
  ])
})

test('a card that is declined is refused, and a Stripe that is busy is a fault', async () => {
  const invoice = {
    ...{ id: customer.id, number: 'INV-1', currency: 'EUR', amountDue: 999, dueAt: null },
    customerRef: 'cus_1',
  }
  const stored = [200, { invoice_settings: { default_payment_method: 'pm_1' } }] as const
  const { payment, asked } = await withAnswers(
    stored,
    [402, { error: { code: 'card_declined', message: 'No' } }],
    stored,
    [429, { error: { message: 'Slower' } }],
    [200, { invoice_settings: {} }],
    [200, { data: [] }],
  )
  const charge = async () => payment.chargeInvoice?.({ invoice, metadata: {}, key: 'k' })
  await expect(charge()).rejects.toMatchObject({ code: 'card_declined' })
  expect(asked[1]?.form).toMatchObject({ payment_method: 'pm_1', off_session: 'true' })
  await expect(charge()).rejects.not.toHaveProperty('code')
  await expect(charge()).rejects.toMatchObject({ code: 'no_payment_method' })
})

test('only what Stripe signed within five minutes is an event', async () => {
  const { payment } = await withAnswers()
  const now = '2026-11-26T12:00:00.000Z'
  const seconds = Date.parse(now) / 1000
  const call = async (object: object, at = seconds, secret = SECRET, change = '') => {
    const body = JSON.stringify({ id: 'evt_1', type: 'x.y', created: seconds, data: { object } })
    const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
    return payment.verifyWebhook?.({
      headers: { 'stripe-signature': `t=${at},v1=${'0'.repeat(64)},v1=${v1},v0=x` },
      bodyBase64: Buffer.from(body + change).toString('base64'),
      now,
    })
  }
  const about = async (object: object) => (await call(object))?.events[0]?.objects
  expect(await about({ object: 'invoice', id: 'in_1' })).toEqual([{ kind: 'invoice', ref: 'in_1' }])
  expect(await about({ object: 'charge', id: 'ch_1', payment_intent: 'pi_1' })).toEqual([
    { kind: 'payment', ref: 'pi_1' },
  ])
  expect(await about({ object: 'dispute', id: 'dp_1', payment_intent: 'pi_1' })).toEqual([
    { kind: 'payment', ref: 'pi_1' },
  ])
  expect(await about({ object: 'product', id: 'prod_1' })).toEqual([])
  const invoice = { object: 'invoice', id: 'in_1' }
  for (const bad of [
    () => call(invoice, seconds - 301),
    () => call(invoice, seconds, 'whsec_another_secret'),
    () => call(invoice, seconds, SECRET, ' '),
    () => call(invoice, Number.NaN),
  ])
    await expect(bad()).rejects.toMatchObject({ code: 'bad_signature' })
})
