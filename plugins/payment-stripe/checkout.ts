import type { PaymentRequest } from '../../shared/src/plugins/payment.ts'
import type { Host } from '../sdk/index.ts'
import type { Fields, Stripe } from './api.ts'
import { toStripe } from './money.ts'

type Checkout = PaymentRequest<'payment.createCheckout'>
type Pay = PaymentRequest<'payment.payInvoice'>

/** The least time that Stripe lets a page be open, and a minute for clocks that differ. */
const LEAST_OPEN_MS = 31 * 60_000

const taxOf = ({ settings }: Host): Fields =>
  settings.tax === 'automatic' ? { automatic_tax: { enabled: true } } : {}

const priced = (name: string, amount: number, currency: string): Fields => ({
  currency: currency.toLowerCase(),
  unit_amount: toStripe(amount, currency),
  product_data: { name },
})

/** Opens a page of Stripe on which a purchase is paid. */
export async function openCheckout(host: Host, stripe: Stripe, given: Checkout) {
  const { customer, currency, lines, mode, metadata, trialEnd, key } = given
  if (customer.ref === null) throw host.refusal('no_customer', 'Call ensureCustomer first')
  const isSubscription = mode === 'subscription'
  const expiresMs = Math.max(Date.parse(given.expiresAt), Date.now() + LEAST_OPEN_MS)
  const session = await stripe.post(
    '/checkout/sessions',
    {
      ...{ mode, customer: customer.ref, client_reference_id: given.reference, metadata },
      ...{ success_url: given.successUrl, cancel_url: given.cancelUrl },
      expires_at: Math.floor(expiresMs / 1000),
      line_items: lines.map(({ description, quantity, amount, priceRef }) =>
        isSubscription && priceRef !== null
          ? { quantity, price: priceRef }
          : { quantity, price_data: priced(description, amount, currency) },
      ),
      ...taxOf(host),
      ...(isSubscription
        ? {
            subscription_data: {
              metadata,
              ...(trialEnd !== null && { trial_end: Math.floor(Date.parse(trialEnd) / 1000) }),
            },
          }
        : { payment_intent_data: { metadata } }),
    },
    key,
  )
  return { ref: String(session.id), redirectUrl: String(session.url), instructions: null }
}

/** Opens a page of Stripe on which an invoice of ours is paid. */
export async function openPayment(stripe: Stripe, given: Pay) {
  const { invoice, metadata, successUrl, cancelUrl, key } = given
  const { number, amountDue, currency, customerRef } = invoice
  const session = await stripe.post(
    '/checkout/sessions',
    {
      ...{ mode: 'payment', client_reference_id: number, metadata },
      ...{ success_url: successUrl, cancel_url: cancelUrl },
      ...(customerRef !== null && { customer: customerRef }),
      line_items: [{ quantity: 1, price_data: priced(number, amountDue, currency) }],
      payment_intent_data: { metadata },
    },
    key,
  )
  return { ref: String(session.id), redirectUrl: String(session.url), instructions: null }
}
