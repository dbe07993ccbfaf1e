import type {
  PaidCheckout,
  PaidDispute,
  PaidPayment,
  SavedMethod,
} from '../../shared/src/plugins/payment.ts'
import type { Json } from './api.ts'
import { fromStripe } from './money.ts'
import { currencyOf, metadataOf, numberOf, refOf } from './read.ts'

/** A payment method, in words for people. */
export function methodOf(found: Json): SavedMethod {
  const type = String(found.type)
  const { brand, last4, exp_year: year, exp_month: month } = Object(found[type]) as Json
  const name = typeof brand === 'string' ? brand : type
  const shown = (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')
  return {
    label: typeof last4 === 'string' ? `${shown} •••• ${last4}` : shown,
    expires:
      typeof year === 'number' && typeof month === 'number'
        ? `${year}-${String(month).padStart(2, '0')}`
        : null,
  }
}

export function checkoutOf(found: Json): PaidCheckout {
  // An abandoned page kept nothing.
  const isSaved = found.mode === 'setup' && found.status === 'complete'
  return {
    ...{ kind: 'checkout', ref: String(found.id), paymentRef: refOf(found.payment_intent) },
    ...(isSaved && { savedFor: refOf(found.customer) }),
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
