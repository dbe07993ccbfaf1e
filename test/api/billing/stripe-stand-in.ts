import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { packFiles } from '../../../plugins/sdk/pack.ts'

// Stripe's side of the calls made by its plugin, according to Stripe's API documentation and the
// types of its client.

const FOLDER = path.resolve(import.meta.dirname, '../../../plugins/payment-stripe')
const ADDRESS = 'https://api.stripe.com'
export const STRIPE_SETTINGS = {
  secretKey: 'sk_test_0123456789abc',
  webhookSecret: 'whsec_0123456789abcdef',
}

type Form = Readonly<Record<string, string>>
type Answer = readonly [status: number, body: object]
interface Intent {
  readonly id: string
  readonly customer: string | undefined
  readonly status: string
  readonly amount: number
  readonly currency: string | undefined
  readonly metadata: Form
  readonly latest_charge: object
}

/** Fields such as `metadata[name]` of a form. */
const inside = (form: Form, prefix: string): Form =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) =>
      name.startsWith(`${prefix}[`) ? [[name.slice(prefix.length + 1, -1), value]] : [],
    ),
  )

interface Transaction {
  readonly id: string
  readonly reference: string
  readonly form: Form
}

/**
 * Calculates the tax of each line in hundredths of the smallest unit, so that currencies without
 * decimals have something to round.
 */
function calculate(form: Form, percent: number): Answer {
  const address = (name: string) => form[`customer_details[address][${name}]`]
  if (address('postal_code') === 'nowhere') {
    const error = { code: 'customer_tax_location_invalid', message: 'The address is not valid' }
    return [400, { error }]
  }
  const isBusiness = form['customer_details[tax_ids][0][type]'] === 'eu_vat'
  const data = []
  for (let at = 0; form[`line_items[${at}][amount]`] !== undefined; at += 1) {
    const [amount, reference] = ['amount', 'reference'].map(
      (of) => form[`line_items[${at}][${of}]`],
    )
    const tax = isBusiness ? 0 : Math.round((Number(amount) * percent) / 100)
    data.push({ reference, amount: Number(amount), amount_tax: tax })
  }
  const amount = data.reduce((sum, { amount_tax }) => sum + amount_tax, 0)
  const details = { country: address('country'), state: null, tax_type: 'vat' }
  return [
    200,
    {
      ...{ id: `taxcalc_${randomUUID()}`, currency: form.currency, tax_amount_exclusive: amount },
      // Only if the request expands it.
      ...(form['expand[0]'] === 'line_items' && { line_items: { data } }),
      tax_breakdown: [
        {
          ...{ amount, taxability_reason: isBusiness ? 'reverse_charge' : 'standard_rated' },
          tax_rate_details: { ...details, percentage_decimal: isBusiness ? '0.0' : `${percent}.0` },
        },
      ],
    },
  ]
}

export async function startStripe() {
  const methods = new Map<string, { id: string; type: string; card: object }[]>()
  const sessions = new Map<string, Form & { payment_intent?: string }>()
  const intents: Intent[] = []
  const known = new Map<string, { form: string; answer: Answer }>()
  const state = { declines: false, taxDown: false, taxForbidden: false, vatPercent: 19 }
  const calculations = new Map<string, { expires_at: number }>()
  const taxes: Transaction[] = []

  const pay = (form: Form, customer: string | undefined, metadata: Form, status = 'succeeded') => {
    const intent = {
      ...{ id: `pi_${randomUUID()}`, customer, status, metadata, latest_charge: {} },
      ...{ amount: Number(form.amount), currency: form.currency },
    }
    intents.unshift(intent)
    return intent
  }
  /** Records a sale, or a reversal of part of it, each under a reference of its own. */
  function transact(what: string | undefined, form: Form): Answer {
    const refused = (message: string): Answer => [400, { error: { code: 'invalid', message } }]
    if (state.taxDown) return [429, { error: { message: 'Try later' } }]
    if (state.taxForbidden)
      return [403, { error: { type: 'invalid_request_error', message: 'The key may not do this' } }]
    const { reference = '', calculation = '', original_transaction: sold } = form
    if (taxes.some((one) => one.reference === reference)) return refused('The reference exists')
    if (what === 'create_from_calculation' && !calculations.has(calculation))
      return refused('The calculation expired')
    if (calculation !== '' && taxes.some(({ form }) => form.calculation === calculation))
      return refused('The calculation was used')
    if (what === 'create_reversal' && !taxes.some(({ id }) => id === sold))
      return refused('No such transaction')
    const made = { id: `tax_${randomUUID()}`, reference, form }
    taxes.push(made)
    return [200, { id: made.id }]
  }
  function answer(method: string, [kind = '', id = '', part]: string[], form: Form): Answer {
    if (kind === 'balance') return [200, { livemode: false }]
    const missing = [404, { error: { code: 'resource_missing' } }] as const
    if (kind === 'customers' && part === 'payment_methods')
      return methods.has(id) ? [200, { data: methods.get(id) }] : missing
    if (kind === 'customers' && method === 'POST') {
      const made = id || `cus_${randomUUID()}`
      if (!methods.has(made)) methods.set(made, [])
      return [200, { id: made }]
    }
    if (kind === 'customers') return methods.has(id) ? [200, { id, invoice_settings: {} }] : missing
    if (kind === 'payment_methods') {
      for (const [customer, all] of methods)
        methods.set(
          customer,
          all.filter((one) => one.id !== id),
        )
      return [200, { id }]
    }
    if (kind === 'billing_portal') return [200, { url: `https://billing.example/${form.customer}` }]
    if (kind === 'checkout' && method === 'POST') {
      if (form.mode === 'setup' && !form.currency && !form['payment_method_types[0]'])
        return [400, { error: { code: 'parameter_missing', message: 'Missing: currency' } }]
      const made = `cs_${randomUUID()}`
      sessions.set(made, form)
      return [200, { id: made, url: `https://pay.example/${made}` }]
    }
    if (kind === 'checkout')
      return part && sessions.has(part) ? [200, { id: part, ...sessions.get(part) }] : missing
    if (kind === 'payment_intents' && method === 'POST') {
      if (!methods.get(form.customer ?? '')?.some((one) => one.id === form.payment_method))
        return [400, { error: { code: 'resource_missing', message: 'No such payment method' } }]
      const status = state.declines ? 'requires_payment_method' : 'succeeded'
      const made = pay(form, form.customer, inside(form, 'metadata'), status)
      const error = { code: 'card_declined', message: 'Your card was declined.' }
      return state.declines ? [402, { error }] : [200, made]
    }
    if (kind === 'payment_intents' && id === '')
      return [200, { data: intents.filter(({ customer }) => customer === form.customer) }]
    if (kind === 'tax' && id === 'calculations' && method === 'POST') {
      const [status, made] = calculate(form, state.vatPercent)
      const expires_at = Math.floor(Date.now() / 1000) + 90 * 86_400
      if (status === 200) calculations.set((made as { id: string }).id, { expires_at })
      return [status, { ...made, expires_at }]
    }
    if (kind === 'tax' && id === 'calculations') {
      const kept = calculations.get(part ?? '')
      return kept ? [200, { id: part, ...kept }] : missing
    }
    if (kind === 'tax') return transact(part, form)
    const found = intents.find((one) => one.id === id)
    return kind === 'payment_intents' && found ? [200, found] : missing
  }

  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://here')
    const form = Object.fromEntries(
      request.method === 'GET' ? searchParams : new URLSearchParams(text),
    )
    const key = String(request.headers['idempotency-key'] ?? randomUUID())
    const asked = `${request.method} ${pathname} ${text}`
    const before = known.get(key)
    const [status, body] =
      before === undefined
        ? answer(request.method ?? '', pathname.split('/').slice(2), form)
        : before.form === asked
          ? before.answer
          : ([400, { error: { type: 'idempotency_error' } }] as const)
    // A request rejected before anything was done may be repeated.
    if (status !== 429 && status !== 403) known.set(key, { form: asked, answer: [status, body] })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    host,
    state,
    intents,
    /** Sales and their reversals, as recorded by Stripe Tax. */
    taxes,
    /** Lets ninety days pass, after which all calculations expire. */
    expire: () => calculations.clear(),
    /** The plugin itself, with another address of Stripe. */
    packed(key: string): Buffer {
      const names = readdirSync(FOLDER).filter((name) => !name.endsWith('.test.ts'))
      const texts = names.map((name) => {
        const text = readFileSync(path.join(FOLDER, name), 'utf8')
        return [
          name,
          text
            .replaceAll(ADDRESS, `http://${host}`)
            .replace('network:api.stripe.com', `network:${host}`),
        ]
      })
      return packFiles(Object.fromEntries(texts), key)
    },
    /** Somebody pays with a card on a page of Stripe, or saves one. @returns the webhook, with its signature */
    complete(url: string) {
      const id = url.split('/').at(-1) ?? ''
      const form = sessions.get(id) ?? {}
      const isSetup = form.mode === 'setup'
      const amount = form['line_items[0][price_data][unit_amount]'] ?? ''
      const currency = form['line_items[0][price_data][currency]'] ?? ''
      const metadata = inside(form, 'payment_intent_data[metadata]')
      const paid: Form = isSetup
        ? { setup_intent: `seti_${randomUUID()}` }
        : { payment_intent: pay({ amount, currency }, form.customer, metadata).id }
      sessions.set(id, { ...form, status: 'complete', ...paid })
      const isSaved = form['payment_intent_data[setup_future_usage]'] === 'off_session' || isSetup
      if (isSaved && form.customer)
        methods.get(form.customer)?.unshift({
          ...{ id: `pm_${randomUUID()}`, type: 'card' },
          card: { brand: 'visa', last4: '4242', exp_year: 2099, exp_month: 4 },
        })
      const seconds = Math.floor(Date.now() / 1000)
      const object = { object: 'checkout.session', id }
      const event = {
        id: `evt_${randomUUID()}`,
        type: 'checkout.session.completed',
        created: seconds,
      }
      const body = JSON.stringify({ ...event, data: { object } })
      const signed = createHmac('sha256', STRIPE_SETTINGS.webhookSecret)
        .update(`${seconds}.${body}`)
        .digest('hex')
      return { body, signature: `t=${seconds},v1=${signed}` }
    },
    close: () => server.close(),
  }
}
