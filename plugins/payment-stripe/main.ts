import type { BillingCycle, PaidPayment } from '../../shared/src/plugins/payment.ts'
import type { Host, Plugin } from '../sdk/index.ts'
import { type Json, Stripe } from './api.ts'
import { openCheckout, openPayment } from './checkout.ts'
import { toStripe } from './money.ts'
import { checkoutOf, disputeOf, invoiceOf, paymentOf, subscriptionOf } from './objects.ts'
import { firstOf, listOf, refOf } from './read.ts'
import { verified } from './webhook.ts'

const CYCLES: Readonly<Record<BillingCycle, { interval: string; interval_count: number }>> = {
  weekly: { interval: 'week', interval_count: 1 },
  monthly: { interval: 'month', interval_count: 1 },
  quarterly: { interval: 'month', interval_count: 3 },
  semiannual: { interval: 'month', interval_count: 6 },
  yearly: { interval: 'year', interval_count: 1 },
  biennial: { interval: 'year', interval_count: 2 },
  triennial: { interval: 'year', interval_count: 3 },
}
const PAYMENT = { expand: ['latest_charge'] }
/** More than a bank permits for one payment. */
const MOST_DISPUTES = 100

const pathOf = (kind: string, ref: string) => `/${kind}/${encodeURIComponent(ref)}`
const subscriptionPath = (ref: string) => pathOf('subscriptions', ref)

/** The means of payment that a customer chose. */
async function defaultMethod(host: Host, stripe: Stripe, customer: string): Promise<string> {
  const found = await stripe.get(pathOf('customers', customer))
  const { default_payment_method: chosen } = Object(found.invoice_settings) as Json
  const method =
    refOf(chosen) ??
    refOf(firstOf(await stripe.get(`${pathOf('customers', customer)}/payment_methods`)))
  if (method === null)
    throw host.refusal('no_payment_method', 'The customer has no means of payment at Stripe')
  return method
}

/** Payment through Stripe. It keeps nothing: what is true is what Stripe says. */
const plugin: Plugin = (host) => {
  const stripe = new Stripe(host)
  return {
    async health() {
      const { livemode } = await stripe.get('/balance')
      return { ok: true, message: livemode === true ? 'Connected' : 'Connected, in test mode' }
    },
    payment: {
      info: () => ({
        label: 'Stripe',
        currencies: 'any',
        cycles: Object.keys(CYCLES) as BillingCycle[],
        capabilities: {
          ...{ checkout: true, portal: true, autoCharge: true, trials: true },
          ...{ proration: true, refunds: true, webhooks: true, offline: false },
        },
      }),
      async ensureCustomer({ customer: { id, email, name, ref }, key }) {
        const fields = { email, name, metadata: { lodge_customer: id } }
        const made = await stripe.post(
          ref === null ? '/customers' : pathOf('customers', ref),
          fields,
          key,
        )
        return { ref: String(made.id) }
      },
      async ensurePrice({ price: { id, planName, cycle, currency, amount }, key }) {
        const lookup = `lodge_${id}`
        const present = await stripe.get('/prices', { lookup_keys: [lookup], limit: 1 })
        const found = refOf(firstOf(present))
        if (found !== null) return { ref: found }
        const made = await stripe.post(
          '/prices',
          {
            currency: currency.toLowerCase(),
            unit_amount: toStripe(amount, currency),
            recurring: CYCLES[cycle],
            product_data: { name: planName },
            lookup_key: lookup,
          },
          key,
        )
        return { ref: String(made.id) }
      },
      createCheckout: (given) => openCheckout(host, stripe, given),
      payInvoice: (given) => openPayment(stripe, given),
      async expireCheckout({ ref }) {
        await stripe.post(`${pathOf('checkout/sessions', ref)}/expire`, {})
        return {}
      },
      async createPortal({ customerRef, returnUrl }) {
        const session = await stripe.post('/billing_portal/sessions', {
          customer: customerRef,
          return_url: returnUrl,
        })
        return { url: String(session.url) }
      },
      async changeSubscription({ subscriptionRef, priceRef, when, key }) {
        const path = subscriptionPath(subscriptionRef)
        const { id } = firstOf((await stripe.get(path)).items)
        const changed = await stripe.post(
          path,
          {
            items: [{ id: String(id), price: priceRef }],
            // Without proration, the new price counts from the next renewal.
            proration_behavior: when === 'now' ? 'create_prorations' : 'none',
          },
          key,
        )
        return subscriptionOf(changed)
      },
      async cancel({ subscriptionRef, when, key }) {
        const path = subscriptionPath(subscriptionRef)
        return subscriptionOf(
          when === 'now'
            ? await stripe.delete(path)
            : await stripe.post(path, { cancel_at_period_end: true }, key),
        )
      },
      async resume({ subscriptionRef, key }) {
        const path = subscriptionPath(subscriptionRef)
        return subscriptionOf(await stripe.post(path, { cancel_at_period_end: false }, key))
      },
      async pauseCollection({ subscriptionRef, paused, key }) {
        const path = subscriptionPath(subscriptionRef)
        const fields = { pause_collection: paused ? { behavior: 'void' } : '' }
        return subscriptionOf(await stripe.post(path, fields, key))
      },
      async chargeInvoice({ invoice, metadata, key }) {
        const { amountDue, currency, customerRef, number } = invoice
        if (customerRef === null) throw host.refusal('no_customer', 'Call ensureCustomer first')
        const paid = await stripe.post(
          '/payment_intents',
          {
            amount: toStripe(amountDue, currency),
            currency: currency.toLowerCase(),
            customer: customerRef,
            payment_method: await defaultMethod(host, stripe, customerRef),
            ...{ off_session: true, confirm: true, description: number, metadata, ...PAYMENT },
          },
          key,
        )
        return paymentOf(paid)
      },
      async refund({ paymentRef, currency, amount, key }) {
        const fields = { payment_intent: paymentRef, amount: toStripe(amount, currency) }
        const { id, status } = await stripe.post('/refunds', fields, key)
        const isOver = status === 'succeeded' || status === 'failed'
        return { ref: String(id), status: isOver ? status : 'pending' }
      },
      async fetch({ kind, ref }) {
        const found = {
          subscription: async () => read(await stripe.find(subscriptionPath(ref)), subscriptionOf),
          invoice: async () =>
            read(await stripe.find(pathOf('invoices', ref), { expand: ['payments'] }), invoiceOf),
          checkout: async () =>
            read(await stripe.find(pathOf('checkout/sessions', ref)), checkoutOf),
          payment: async () =>
            paymentAt(stripe, await stripe.find(pathOf('payment_intents', ref), PAYMENT)),
        }
        return { object: await found[kind]() }
      },
      verifyWebhook: (given) => ({ events: [verified(host, given)] }),
    },
  }
}

/** A payment with its disputes, which Stripe keeps beside it, the newest first. */
async function paymentAt(stripe: Stripe, found: Json | null): Promise<PaidPayment | null> {
  if (found === null) return null
  const { disputed } = Object(found.latest_charge) as Json
  if (disputed !== true) return paymentOf(found)
  const asked = { payment_intent: String(found.id), limit: MOST_DISPUTES }
  const disputes = listOf(await stripe.get('/disputes', asked)).toReversed()
  return paymentOf(
    found,
    disputes.flatMap((one) => disputeOf(one) ?? []),
  )
}

const read = <T>(found: Json | null, as: (found: Json) => T): T | null =>
  found === null ? null : as(found)

export default plugin
