import type { PaymentRequest } from '../../shared/src/plugins/payment.ts'
import type { Host } from '../sdk/index.ts'
import type { Json, Stripe } from './api.ts'
import { toStripe } from './money.ts'
import { paymentOf } from './objects.ts'
import { firstOf, listOf, metadataOf, refOf } from './read.ts'

/** How many of a customer's newest payments are searched for an earlier charge with the same key. */
const LOOKED_AT = 100
/** More than Stripe's pages let a person keep. */
const MOST_METHODS = 100
/** Metadata that holds the key of a charge, since Stripe forgets idempotency keys after a day. */
const KEY = 'lodge_key'

export const PAYMENT = { expand: ['latest_charge'] }

const customerPath = (ref: string) => `/customers/${encodeURIComponent(ref)}`

/** The default payment method of a customer, otherwise the newest; null if there is none. */
export async function savedMethod(stripe: Stripe, customer: string): Promise<Json | null> {
  const found = await stripe.find(customerPath(customer), {
    expand: ['invoice_settings.default_payment_method'],
  })
  if (found === null || found.deleted === true) return null
  const { default_payment_method: chosen } = Object(found.invoice_settings) as Json
  if (refOf(chosen) !== null) return Object(chosen) as Json
  const newest = firstOf(await stripe.get(`${customerPath(customer)}/payment_methods`))
  return refOf(newest) === null ? null : newest
}

/** Detaches a customer's saved payment methods; after a failure, another call removes the rest. */
export async function forgetMethods(stripe: Stripe, customer: string): Promise<void> {
  const path = `${customerPath(customer)}/payment_methods`
  const found = await stripe.find(path, { limit: MOST_METHODS })
  for (const method of listOf(found)) {
    const ref = refOf(method)
    if (ref !== null) await stripe.post(`/payment_methods/${encodeURIComponent(ref)}/detach`, {})
  }
}

/** Charges the saved payment method for an invoice, once per key however late it is repeated. */
export async function chargeInvoice(
  host: Host,
  stripe: Stripe,
  { invoice, metadata, key }: PaymentRequest<'payment.chargeInvoice'>,
) {
  const { amountDue, currency, customerRef: customer, number } = invoice
  if (customer === null) throw host.refusal('no_customer', 'Call ensureCustomer first')
  const listed = { customer, limit: LOOKED_AT, expand: ['data.latest_charge'] }
  const before = listOf(await stripe.get('/payment_intents', listed))
  const charged = before.find((one) => metadataOf(one)[KEY] === key)
  if (charged) return paymentOf(charged)
  const method = await savedMethod(stripe, customer)
  if (method === null)
    throw host.refusal('no_payment_method', 'The customer has no payment method at Stripe')
  const paid = await stripe.post(
    '/payment_intents',
    {
      amount: toStripe(amountDue, currency, 'up'),
      currency: currency.toLowerCase(),
      ...{ customer, payment_method: String(method.id), description: number },
      // Off-session: nobody is there to follow a redirect.
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      ...{ off_session: true, confirm: true, metadata: { ...metadata, [KEY]: key }, ...PAYMENT },
    },
    key,
  )
  return paymentOf(paid)
}
