import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import { chargeDue } from '../../../control-plane/src/domains/billing/providers/charge-due.ts'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { callPlugin } from '../../../control-plane/src/domains/plugins/index.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

export const BANK = 'pay-bank'
/**
 * Stores its payments in its plugin storage, which the processes of both control planes share and the
 * tests read.
 */
const PROVIDER = `
export default (host) => {
  const read = async (name) => JSON.parse((await host.storage.get(name)) ?? 'null')
  const write = (name, value) => host.storage.set(name, JSON.stringify(value))
  return {
    health: () => ({ ok: true, message: 'Open' }),
    payment: {
      ensureCustomer: ({ customer }) => ({ ref: 'cus_' + customer.id }),
      createPortal: ({ customerRef, returnUrl }) => ({ url: 'https://bank.example/' + customerRef + '#' + returnUrl }),
      saveMethod: ({ customerRef, successUrl }) => ({ url: 'https://bank.example/save/' + customerRef + '#' + successUrl }),
      savedMethod: async ({ customerRef }) => ({ method: await read('method:' + customerRef) }),
      forgetMethods: async ({ customerRef }) => (await host.storage.delete('method:' + customerRef), {}),
      payInvoice: ({ invoice, save }) => ({ ref: 'page_' + invoice.id, instructions: null,
        redirectUrl: 'https://bank.example/pay?save=' + save + '&customer=' + invoice.customerRef }),
      async chargeInvoice({ invoice, metadata, key }) {
        await write('asked:' + invoice.id + ':' + Math.random(), key)
        const before = await read('charged:' + key)
        if (before) return before
        if (!(await read('method:' + invoice.customerRef))) throw host.refusal('no_payment_method', 'Nothing is saved')
        const mood = await read('mood:' + invoice.customerRef)
        if (mood === 'lost') throw new Error('Nobody answers')
        if (mood === 'declines') throw host.refusal('card_declined', 'Your card was declined.')
        const payment = { kind: 'payment', ref: 'pi_' + key, status: mood === 'slow' ? 'processing' : 'succeeded',
          currency: invoice.currency, amount: invoice.amountDue, amountRefunded: 0, failure: null, metadata }
        await write('charged:' + key, payment)
        await write('payment:' + payment.ref, payment)
        if (mood === 'cut') throw new Error('The connection was cut')
        return payment
      },
      async fetch({ kind, ref }) {
        if (await read('silent')) throw new Error('Nobody answers')
        await write('fetched:' + ref + ':' + Math.random(), true)
        const object = await read(kind + ':' + ref)
        if (await read('hold:' + ref) && !(await read('held:' + ref))) {
          await write('held:' + ref, true)
          while (await read('hold:' + ref)) await new Promise((resolve) => setTimeout(resolve, 20))
        }
        return { object }
      },
      verifyWebhook: ({ bodyBase64 }) => ({ events: JSON.parse(Buffer.from(bodyBase64, 'base64').toString()) }),
    },
  }
}`

export const CARD = { label: 'Visa •••• 4242', expires: '2099-04' }
export const bank = { params: { provider: BANK } }
const DAY_MS = 86_400_000

/** Two control planes with a bank as the payment provider, which saves cards and charges them. */
export async function bankWorld(egressHost?: string) {
  const key = newKey()
  const environment = {
    LODGE_PLUGIN_KEYS: publicKeyOf(key),
    // The tests run each step themselves, at their own times: what is due for them is overdue for the clock.
    LODGE_WORK: 'false',
    ...(egressHost !== undefined && { LODGE_EGRESS_HOSTS: egressHost }),
  }
  const lodge: Lodge = await startLodge({ environment })
  const beside: Lodge = await startLodge({ beside: lodge, environment })
  const admin: Caller = await lodge.admin()
  await addProvider(admin, BANK, PROVIDER, key, {
    permissions: ['billing.provider', 'storage'],
    payment: { abilities: ['portal', 'autoCharge', 'saveMethod'] },
  })
  // Stops the background tasks: the tests run each step themselves.
  for (const one of [lodge, beside])
    await callPlugin(one.controlPlane.services, BANK, 'plugin.health', {})
  const { id: planId } = await admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }],
    },
  })
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await lodge.database.pool.query<Row>(text, values)).rows
  const services = () => lodge.controlPlane.services
  /** Writes into the stored state of the provider; null removes an entry. */
  const book = (name: string, value: unknown) =>
    value === null
      ? query('delete from plugin_storage where plugin_id = $1 and key = $2', [BANK, name])
      : query(
          `insert into plugin_storage (plugin_id, key, value) values ($1, $2, $3)
           on conflict (plugin_id, key) do update set value = excluded.value`,
          [BANK, name, JSON.stringify(value)],
        )

  async function subscriber(card: typeof CARD | null = CARD) {
    const { id, email } = await lodge.customer()
    const person = await lodge.session(id, email)
    const bought = await person.must('POST /api/store/checkout', {
      body: { planId, cycle: 'monthly' },
    })
    const first = bought.invoice?.id ?? ''
    const ref = `cus_${id}`
    await book(`method:${ref}`, card)
    const billing = async () => {
      const found = await person.must('GET /api/billing')
      const [subscription] = found.subscriptions
      return { ...found, subscription, newest: found.invoices[0] }
    }
    const charge = (autoCharge: boolean) =>
      person.call('PUT /api/billing/payment-methods/{provider}', {
        ...bank,
        body: { autoCharge },
      })
    const pay = (save: boolean, invoiceId = first) =>
      person.call('POST /api/billing/invoices/{id}/pay', {
        ...{ params: { id: invoiceId }, body: { provider: BANK, save } },
      })
    const mood = (value: string | null) => book(`mood:${ref}`, value)
    /**
     * How often the provider was called to charge the newest invoice, and with how many idempotency
     * keys.
     */
    const asked = async () => {
      const rows = await query<{ value: string }>(
        `select value from plugin_storage where plugin_id = $1 and key like $2`,
        [BANK, `asked:${(await billing()).newest?.id}:%`],
      )
      return { calls: rows.length, keys: new Set(rows.map(({ value }) => value)).size }
    }
    const told = async () => {
      const { items } = await person.must('GET /api/notifications')
      return items.map(({ title }) => title)
    }
    const buyAgain = () =>
      person.must('POST /api/store/checkout', { body: { planId, cycle: 'monthly' } })
    return { id, person, ref, first, billing, buyAgain, charge, pay, mood, asked, told }
  }
  type Subscriber = Awaited<ReturnType<typeof subscriber>>

  /** The provider reports a payment of the first invoice. */
  async function reportPaid({ first, ref }: Subscriber) {
    const payment = `pi_${first}`
    await book(`payment:${payment}`, {
      ...{ kind: 'payment', ref: payment, status: 'succeeded', currency: 'EUR', amount: 1000 },
      ...{ amountRefunded: 0, failure: null, metadata: { invoiceId: first } },
    })
    await report(payment, ref)
  }
  async function report(ref: string, id: string, kind: 'payment' | 'checkout' = 'payment') {
    const { statusCode } = await lodge.anonymous().send({
      ...{ method: 'POST', url: `/api/billing/webhooks/${BANK}` },
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify([
        {
          ...{ id: `${id} ${randomUUID()}`, type: 'paid', occurredAt: new Date().toISOString() },
          objects: [{ kind, ref }],
        },
      ]),
    })
    expect(statusCode).toBe(200)
    await projectEvents(services(), new Date(Date.now() + 1000))
  }

  const ends = new Map<Subscriber, number>()

  /** Runs the tasks due for a subscription so many days after the end of its first period. */
  async function runAt(one: Subscriber, days: number, charges = true) {
    if (!ends.has(one))
      ends.set(one, Date.parse((await one.billing()).subscription?.periodEnd ?? ''))
    return runUntil(one.id, new Date((ends.get(one) ?? 0) + days * DAY_MS), charges)
  }
  /** Does what is due for a customer at a time. */
  async function runUntil(userId: string, now: Date, charges = true) {
    for (let round = 0; round < 4; round += 1) {
      await query(
        'update subscriptions set next_at = $1 where next_at is not null and user_id = $2',
        [now, userId],
      )
      await advanceDue(services(), now)
      if (charges) await chargeAtBoth(now)
    }
    return now
  }
  const chargeAtBoth = (now: Date) =>
    Promise.all([chargeDue(services(), now), chargeDue(beside.controlPlane.services, now)])

  /** A subscriber who pays automatically from now on. */
  async function charged(card: typeof CARD = CARD) {
    const one = await subscriber(card)
    await one.pay(true)
    await reportPaid(one)
    expect((await one.billing()).savedPayments).toMatchObject([{ autoCharge: true }])
    return one
  }
  /** The provider knows that an invoice was paid on its page, and reports it to nobody. */
  async function paySilently(invoiceId: string, status = 'succeeded', amount = 1000) {
    const ref = `pi_${invoiceId}`
    const page = { kind: 'checkout', ref: `page_${invoiceId}`, paymentRef: ref }
    await book(`checkout:${page.ref}`, page)
    await book(`payment:${ref}`, {
      ...{ kind: 'payment', ref, status, currency: 'EUR', amount },
      ...{ amountRefunded: 0, failure: null, metadata: { invoiceId } },
    })
  }
  const pagesOf = async (invoiceId: string) =>
    (await query('select from provider_pages where invoice_id = $1', [invoiceId])).length

  /** Somebody whose renewal is overdue, and who opened its page. */
  async function overdue() {
    const one = await subscriber()
    await one.pay(false)
    await reportPaid(one)
    await runAt(one, -6)
    await runAt(one, 0)
    const id = (await one.billing()).newest?.id ?? ''
    await one.pay(false, id)
    return { one, id }
  }

  return {
    ...{ paySilently, pagesOf, overdue },
    ...{ lodge, beside, admin, key, query, services, book, subscriber, reportPaid, report },
    ...{ runAt, runUntil, chargeAtBoth, charged },
    async end() {
      await beside[Symbol.asyncDispose]()
      await lodge[Symbol.asyncDispose]()
    },
  }
}
