import type {
  PaidCheckout,
  PaidDispute,
  PaidInvoice,
  PaidPayment,
  PaidSubscription,
} from '../../shared/src/plugins/payment.ts'
import type { Json } from './api.ts'
import { fromStripe } from './money.ts'
import { currencyOf, firstOf, metadataOf, momentOf, numberOf, refOf } from './read.ts'

const SUBSCRIPTION: Readonly<Record<string, PaidSubscription['status']>> = {
  ...{ incomplete: 'incomplete', trialing: 'trialing', active: 'active', past_due: 'past_due' },
  ...{ unpaid: 'suspended', paused: 'suspended', canceled: 'canceled' },
  incomplete_expired: 'expired',
}
const INVOICE = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const

/** A subscription of Stripe; its period is that of its item. */
export function subscriptionOf(found: Json): PaidSubscription {
  const item = firstOf(found.items)
  return {
    kind: 'subscription',
    ref: String(found.id),
    status: SUBSCRIPTION[String(found.status)] ?? 'incomplete',
    customerRef: refOf(found.customer) ?? '',
    priceRef: refOf(item.price) ?? '',
    periodStart: momentOf(item.current_period_start),
    periodEnd: momentOf(item.current_period_end),
    cancelAtPeriodEnd: found.cancel_at_period_end === true,
    latestInvoiceRef: refOf(found.latest_invoice),
    metadata: metadataOf(found),
  }
}

export function invoiceOf(found: Json): PaidInvoice {
  const currency = currencyOf(found)
  const amount = (value: unknown) => fromStripe(numberOf(value), currency)
  const { subscription_details: details } = Object(found.parent) as Json
  const { payment } = firstOf(found.payments)
  const { paid_at: paidAt } = Object(found.status_transitions) as Json
  return {
    kind: 'invoice',
    ref: String(found.id),
    status: INVOICE.find((status) => status === found.status) ?? 'draft',
    subscriptionRef: refOf((Object(details) as Json).subscription),
    currency,
    subtotal: amount(found.subtotal),
    tax: amount(found.total) - amount(found.total_excluding_tax ?? found.total),
    total: amount(found.total),
    amountPaid: amount(found.amount_paid),
    paymentRef: refOf((Object(payment) as Json).payment_intent),
    hostedUrl: typeof found.hosted_invoice_url === 'string' ? found.hosted_invoice_url : null,
    paidAt: typeof paidAt === 'number' ? momentOf(paidAt) : null,
    metadata: metadataOf(found),
  }
}

export function checkoutOf(found: Json): PaidCheckout {
  const currency = currencyOf(found)
  const isPaid = found.payment_status === 'paid' || found.payment_status === 'no_payment_required'
  const completed = isPaid ? 'completed' : 'processing'
  return {
    kind: 'checkout',
    ref: String(found.id),
    status:
      found.status === 'complete' ? completed : found.status === 'expired' ? 'expired' : 'open',
    customerRef: refOf(found.customer),
    subscriptionRef: refOf(found.subscription),
    invoiceRef: refOf(found.invoice),
    paymentRef: refOf(found.payment_intent),
    currency,
    amountTotal: fromStripe(numberOf(found.amount_total), currency),
    metadata: metadataOf(found),
  }
}

const DISPUTE: Readonly<Record<string, 'open' | 'won' | 'lost'>> = {
  ...{ needs_response: 'open', under_review: 'open', lost: 'lost' },
  ...{ won: 'won', prevented: 'won' },
}

/** A dispute; null for an inquiry (`warning_…`), which takes no money and may become one. */
export function disputeOf(found: Json): PaidDispute | null {
  const state = DISPUTE[String(found.status)]
  if (!state) return null
  const amount = fromStripe(numberOf(found.amount), currencyOf(found))
  const reason = typeof found.reason === 'string' ? found.reason.replaceAll('_', ' ') : ''
  return { ref: String(found.id), state, amount, reason }
}

export function paymentOf(found: Json, disputes: PaidDispute[] = []): PaidPayment {
  const currency = currencyOf(found)
  const charge = Object(found.latest_charge) as Json
  const { message } = Object(found.last_payment_error) as Json
  return {
    kind: 'payment',
    ref: String(found.id),
    status: statusOf(found, charge, disputes),
    currency,
    amount: fromStripe(numberOf(found.amount), currency),
    disputes,
    amountRefunded: fromStripe(numberOf(charge.amount_refunded), currency),
    failure: typeof message === 'string' ? message : null,
    metadata: metadataOf(found),
  }
}

function statusOf(
  { status }: Json,
  charge: Json,
  disputes: readonly PaidDispute[],
): PaidPayment['status'] {
  if (disputes.some(({ state }) => state !== 'won')) return 'disputed'
  if (charge.refunded === true) return 'refunded'
  if (status === 'succeeded') return 'succeeded'
  return status === 'canceled' || status === 'requires_payment_method' ? 'failed' : 'processing'
}
