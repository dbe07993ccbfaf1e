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

/** The plugin with a Stripe that returns these responses in turn, and the requests it received. */
async function withAnswers(...answers: (readonly [status: number, body: object])[]) {
  const asked: Asked[] = []
  const host: Host = {
    settings: { secretKey: 'sk_test_0123456789', webhookSecret: SECRET },
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
    api: async () => ({ status: 404, body: null }),
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
const invoice = {
  ...{ id: customer.id, number: 'INV-1', currency: 'ISK', amountDue: 1200, dueAt: null },
  customerRef: 'cus_1',
}

test('an invoice is paid on a page of Stripe, which saves the payment method only on request', async () => {
  const page = [200, { id: 'cs_1', url: 'https://pay.example/1' }] as const
  const { payment, asked } = await withAnswers(page, page)
  const given = {
    ...{ invoice, successUrl: 'https://panel.test/yes', cancelUrl: 'https://panel.test/no' },
    ...{ metadata: { invoiceId: 'one' }, key: 'key-1' },
  }
  expect(await payment.payInvoice?.({ ...given, save: true })).toEqual({
    ...{ ref: 'cs_1', redirectUrl: 'https://pay.example/1', instructions: null },
  })
  const save = 'payment_intent_data[setup_future_usage]'
  expect(asked[0]).toMatchObject({
    ...{ method: 'POST', url: 'https://api.stripe.com/v1/checkout/sessions', key: 'key-1' },
    form: {
      ...{ mode: 'payment', customer: 'cus_1', [save]: 'off_session' },
      'line_items[0][price_data][unit_amount]': '120000',
      'line_items[0][price_data][currency]': 'isk',
      'payment_intent_data[metadata][invoiceId]': 'one',
    },
  })
  await payment.payInvoice?.({ ...given, invoice: { ...invoice, customerRef: null }, save: false })
  expect(asked[1]?.form).not.toHaveProperty(save)
  expect(asked[1]?.form).not.toHaveProperty('customer')
})

test('a payment method is saved on a page that takes no payment, which tells for whom once it is', async () => {
  const page = { id: 'cs_2', mode: 'setup', customer: 'cus_1', payment_intent: null }
  const { payment, asked } = await withAnswers(
    [200, { id: 'cs_2', url: 'https://pay.example/2' }],
    [200, { ...page, status: 'open' }],
    [200, { ...page, status: 'complete' }],
    [200, { ...page, mode: 'payment', status: 'complete', payment_intent: 'pi_1' }],
  )
  expect(
    await payment.saveMethod?.({
      ...{ customerRef: 'cus_1', currency: 'EUR', metadata: { customerId: 'ada' } },
      ...{ successUrl: 'https://panel.test/yes', cancelUrl: 'https://panel.test/no' },
    }),
  ).toEqual({ url: 'https://pay.example/2' })
  expect(asked[0]).toMatchObject({
    ...{ method: 'POST', url: 'https://api.stripe.com/v1/checkout/sessions' },
    form: {
      ...{ mode: 'setup', customer: 'cus_1', currency: 'eur' },
      'setup_intent_data[metadata][customerId]': 'ada',
    },
  })
  const fetched = { kind: 'checkout', ref: 'cs_2' } as const
  for (const said of [
    { paymentRef: null },
    { paymentRef: null, savedFor: 'cus_1' },
    { paymentRef: 'pi_1' },
  ])
    expect(await payment.fetch?.(fetched)).toEqual({ object: { ...fetched, ...said } })
})

test.each([
  ['EUR', 1999, 1999],
  ['HUF', 1999, 1999],
  ['JPY', 500, 500],
  ['ISK', 500, 50_000],
  ['UGX', 500, 50_000],
  ['KWD', 1230, 1230],
])('an amount of %s is counted as Stripe counts it', (currency, ours, theirs) => {
  for (const rounded of ['up', 'down', 'nearest'] as const)
    expect(toStripe(ours, currency, rounded)).toBe(theirs)
  expect(fromStripe(theirs, currency)).toBe(ours)
})

test('where Stripe counts in tens, enough is collected and not too much given back', async () => {
  const [amount, currency] = [1236, 'KWD']
  const { payment, asked } = await withAnswers(
    [200, { id: 'cs_1', url: 'https://pay.example/1' }],
    ...[NONE, saved, [200, { id: 'pi_1', status: 'succeeded', currency: 'kwd' }] as const],
    [200, { id: 're_1', status: 'succeeded' }],
  )
  const given = { invoice: { ...invoice, currency, amountDue: 1234 }, metadata: {}, key: 'k' }
  const back = { successUrl: 'https://panel.test/yes', cancelUrl: 'https://panel.test/no' }
  await payment.payInvoice?.({ ...given, ...back, save: false })
  await payment.chargeInvoice?.(given)
  await payment.refund?.({ paymentRef: 'pi_1', currency, amount, key: 'k' })
  expect(asked[0]?.form).toMatchObject({ 'line_items[0][price_data][unit_amount]': '1240' })
  expect([asked[3], asked[4]].map((one) => one?.form.amount)).toEqual(['1240', '1230'])
})

test('Stripe’s objects are converted to our form', async () => {
  const CHECKOUT = { id: 'cs_1', status: 'complete', payment_intent: 'pi_1' }
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
    ...[CHECKOUT, PAYMENT, disputes('needs_response')].map((one) => [200, one] as const),
    [404, { error: { code: 'resource_missing' } }],
  )
  const fetch = async (kind: 'checkout' | 'payment') =>
    PAYMENT_METHODS['payment.fetch'].reply.parse(await payment.fetch?.({ kind, ref: 'x' })).object
  expect(await fetch('checkout')).toEqual({ kind: 'checkout', ref: 'cs_1', paymentRef: 'pi_1' })
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

const saved = [
  200,
  { invoice_settings: { default_payment_method: { id: 'pm_1', type: 'card' } } },
] as const
const NONE = [200, { data: [] }] as const

test('a declined card is a refusal, and a busy Stripe is an error', async () => {
  const { payment, asked } = await withAnswers(
    ...[NONE, saved, [402, { error: { code: 'card_declined', message: 'No' } }] as const],
    ...[NONE, saved, [429, { error: { message: 'Slower' } }] as const],
    ...[NONE, [200, { invoice_settings: {} }] as const, NONE],
  )
  const charge = async () =>
    payment.chargeInvoice?.({ invoice, metadata: { invoiceId: 'one' }, key: 'k' })
  await expect(charge()).rejects.toMatchObject({ code: 'card_declined', message: 'No' })
  expect(asked[2]).toMatchObject({
    key: 'k',
    form: {
      ...{ payment_method: 'pm_1', off_session: 'true', amount: '120000', currency: 'isk' },
      ...{ 'metadata[invoiceId]': 'one', 'metadata[lodge_key]': 'k' },
    },
  })
  await expect(charge()).rejects.not.toHaveProperty('code')
  await expect(charge()).rejects.toMatchObject({ code: 'no_payment_method' })
})

test('a charge is found by its key after Stripe forgot the key', async () => {
  const charged = {
    ...{ id: 'pi_1', status: 'succeeded', currency: 'isk', amount: 120_000 },
    ...{ metadata: { lodge_key: 'k', invoiceId: 'one' }, latest_charge: {} },
  }
  const { payment, asked } = await withAnswers([200, { data: [{ id: 'pi_2' }, charged] }])
  const answer = await payment.chargeInvoice?.({ invoice, metadata: {}, key: 'k' })
  expect(PAYMENT_METHODS['payment.chargeInvoice'].reply.parse(answer)).toMatchObject({
    ...{ ref: 'pi_1', status: 'succeeded', amount: 1200, currency: 'ISK' },
  })
  expect(asked.map(({ method }) => method)).toEqual(['GET'])
})

test('saved payment methods have names that people recognise, and all of them can be removed', async () => {
  const card = { id: 'pm_1', type: 'card', card: { brand: 'visa', last4: '4242' } }
  const dated = { ...card, card: { ...card.card, exp_year: 2028, exp_month: 4 } }
  const { payment, asked } = await withAnswers(
    [200, { invoice_settings: { default_payment_method: dated } }],
    ...[[200, { invoice_settings: {} }] as const, [200, { data: [card] }] as const],
    ...[[200, { invoice_settings: {} }] as const, NONE],
    [404, { error: { code: 'resource_missing' } }],
    ...[[200, { data: [card, { id: 'pm_2' }] }] as const, [200, {}] as const, [200, {}] as const],
  )
  const method = async () => {
    const answer = await payment.savedMethod?.({ customerRef: 'cus_1' })
    return PAYMENT_METHODS['payment.savedMethod'].reply.parse(answer).method
  }
  expect(await method()).toEqual({ label: 'Visa •••• 4242', expires: '2028-04' })
  expect(await method()).toEqual({ label: 'Visa •••• 4242', expires: null })
  expect([await method(), await method()]).toEqual([null, null])
  await payment.forgetMethods?.({ customerRef: 'cus_1' })
  expect(asked.slice(-2).map(({ url }) => url)).toEqual([
    'https://api.stripe.com/v1/payment_methods/pm_1/detach',
    'https://api.stripe.com/v1/payment_methods/pm_2/detach',
  ])
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
  const session = { object: 'checkout.session', id: 'cs_1' }
  expect(await about(session)).toEqual([{ kind: 'checkout', ref: 'cs_1' }])
  expect(await about({ object: 'charge', id: 'ch_1', payment_intent: 'pi_1' })).toEqual([
    { kind: 'payment', ref: 'pi_1' },
  ])
  expect(await about({ object: 'dispute', id: 'dp_1', payment_intent: 'pi_1' })).toEqual([
    { kind: 'payment', ref: 'pi_1' },
  ])
  expect(await about({ object: 'product', id: 'prod_1' })).toEqual([])
  for (const bad of [
    () => call(session, seconds - 301),
    () => call(session, seconds, 'whsec_another_secret'),
    () => call(session, seconds, SECRET, ' '),
    () => call(session, Number.NaN),
  ])
    await expect(bad()).rejects.toMatchObject({ code: 'bad_signature' })
})
