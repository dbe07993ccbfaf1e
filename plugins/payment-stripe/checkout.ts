import type { PaymentRequest } from '../../shared/src/plugins/payment.ts'
import type { Stripe } from './api.ts'
import { toStripe } from './money.ts'

/** Opens a page of Stripe on which an invoice of ours is paid. */
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
            unit_amount: toStripe(amountDue, currency),
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
