import type { PaidPayment } from '../../shared/src/plugins/payment.ts'
import type { Plugin } from '../sdk/index.ts'
import { type Json, Stripe } from './api.ts'
import { openPayment, openSaving } from './checkout.ts'
import { toStripe } from './money.ts'
import { checkoutOf, disputeOf, methodOf, paymentOf } from './objects.ts'
import { listOf } from './read.ts'
import { recordTax, reverseTax } from './record.ts'
import { chargeInvoice, forgetMethods, PAYMENT, savedMethod } from './saved.ts'
import { quoteTax } from './tax.ts'
import { verified } from './webhook.ts'

/** More than banks allow for one payment. */
const MOST_DISPUTES = 100

const pathOf = (kind: string, ref: string) => `/${kind}/${encodeURIComponent(ref)}`
const paymentPath = (ref: string) => pathOf('payment_intents', ref)

/** Payment and tax through Stripe. It stores nothing: Stripe is the source of truth. */
const plugin: Plugin = (host) => {
  const stripe = new Stripe(host)
  return {
    async health() {
      const { livemode } = await stripe.get('/balance')
      return { ok: true, message: livemode === true ? 'Connected' : 'Connected, in test mode' }
    },
    payment: {
      async ensureCustomer({ customer: { id, email, name, ref }, key }) {
        const fields = { email, name, metadata: { lodge_customer: id } }
        const made = await stripe.post(
          ref === null ? '/customers' : pathOf('customers', ref),
          fields,
          key,
        )
        return { ref: String(made.id) }
      },
      payInvoice: (given) => openPayment(stripe, given),
      async createPortal({ customerRef, returnUrl }) {
        const session = await stripe.post('/billing_portal/sessions', {
          customer: customerRef,
          return_url: returnUrl,
        })
        return { url: String(session.url) }
      },
      saveMethod: (given) => openSaving(stripe, given),
      async savedMethod({ customerRef }) {
        const found = await savedMethod(stripe, customerRef)
        return { method: found && methodOf(found) }
      },
      async forgetMethods({ customerRef }) {
        await forgetMethods(stripe, customerRef)
        return {}
      },
      chargeInvoice: (given) => chargeInvoice(host, stripe, given),
      async refund({ paymentRef, currency, amount, key }) {
        const fields = { payment_intent: paymentRef, amount: toStripe(amount, currency, 'down') }
        const { id, status } = await stripe.post('/refunds', fields, key)
        const isOver = status === 'succeeded' || status === 'failed'
        return { ref: String(id), status: isOver ? status : 'pending' }
      },
      async fetch({ kind, ref }) {
        if (kind === 'payment')
          return { object: await paymentAt(stripe, await stripe.find(paymentPath(ref), PAYMENT)) }
        const found = await stripe.find(pathOf('checkout/sessions', ref))
        return { object: found && checkoutOf(found) }
      },
      verifyWebhook: (given) => ({ events: [verified(host, given)] }),
    },
    tax: {
      quote: (given) => quoteTax(host, stripe, given),
      record: (given) => recordTax(host, stripe, given),
      reverse: (given) => reverseTax(stripe, given),
    },
  }
}

/** A payment with its disputes, which Stripe lists separately, the newest first. */
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

export default plugin
