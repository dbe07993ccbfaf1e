import type { PaymentRequest } from '../../shared/src/plugins/payment.ts'
import type { Stripe } from './api.ts'
import { toStripe } from './money.ts'

/** Creates a page of Stripe on which one of our invoices is paid. */
export async function openPayment(stripe: Stripe, given: PaymentRequest<'payment.payInvoice'>) {
  const { invoice, metadata, successUrl, cancelUrl, save, key } = given
  const { number, amountDue, currency, customerRef } = invoice
  const session = await stripe.post(
    '/checkout/sessions',
    {
      ...{ mode: 'payment', client_reference_id: number, metadata },
      ...{ success_url: successUrl, cancel_url: cancelUrl },
      ...(customerRef !== null && { customer: customerRef }),
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: currency.toLowerCase(),
            unit_amount: toStripe(amountDue, currency, 'up'),
            product_data: { name: number },
          },
        },
      ],
      payment_intent_data: { metadata, ...(save && { setup_future_usage: 'off_session' }) },
    },
    key,
  )
  return { ref: String(session.id), redirectUrl: String(session.url), instructions: null }
}

/**
 * Opens a page of Stripe on which a customer has a payment method kept and pays nothing. With a currency
 * Stripe offers what the account accepts in it.
 */
export async function openSaving(stripe: Stripe, given: PaymentRequest<'payment.saveMethod'>) {
  const { customerRef, currency, metadata, successUrl, cancelUrl } = given
  const session = await stripe.post('/checkout/sessions', {
    ...{ mode: 'setup', customer: customerRef, currency: currency.toLowerCase(), metadata },
    ...{ success_url: successUrl, cancel_url: cancelUrl, setup_intent_data: { metadata } },
  })
  return { url: String(session.url) }
}
