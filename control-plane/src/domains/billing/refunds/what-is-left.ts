import { sumOf } from '../invoice-lines.ts'
import type { InvoiceRow, PaymentRow } from '../invoice-store.ts'
import type { RefundRow } from './refund-store.ts'

/** Whether its money went back or still can. */
export const counts = ({ state }: RefundRow): boolean =>
  state === 'pending' || state === 'succeeded'

/** What was refunded of an invoice, or is about to be. */
export const refundedOf = (refunds: readonly RefundRow[], invoiceId: string): number =>
  sumOf(refunds.filter((one) => one.invoiceId === invoiceId && counts(one)))

/**
 * What was refunded of an invoice to the balance: that money stays with the customer rather than the
 * payer.
 */
export const creditedOf = (refunds: readonly RefundRow[], invoiceId: string): number =>
  sumOf(
    refunds.filter(
      ({ invoiceId: of, way, state }) =>
        of === invoiceId && way === 'balance' && state === 'succeeded',
    ),
  )

/**
 * What a customer paid for an invoice: payments as far as it needed them, and the balance that it
 * used.
 */
function givenFor({ amountPaid, lines }: InvoiceRow): number {
  const taken = -sumOf(lines.filter(({ kind }) => kind === 'adjustment'))
  return amountPaid + Math.max(0, taken)
}

/** What can still be refunded of an invoice. */
export const leftOf = (invoice: InvoiceRow, refunds: readonly RefundRow[]): number =>
  invoice.status === 'paid' ? givenFor(invoice) - refundedOf(refunds, invoice.id) : 0

/** What the provider of a payment can still refund; 0 for a payment that the host recorded. */
export function leftAtProvider(
  payment: PaymentRow,
  invoice: InvoiceRow,
  refunds: readonly RefundRow[],
): number {
  if (payment.externalRef === null) return 0
  const back = sumOf(refunds.filter((one) => one.paymentId === payment.id && counts(one)))
  return Math.max(0, Math.min(payment.amount - payment.takenBack - back, leftOf(invoice, refunds)))
}

/** What was returned to the payer of a payment, or left the balance again because of that. */
export const wentBackOf = (
  { id, takenBack }: Pick<PaymentRow, 'id' | 'takenBack'>,
  refunds: readonly RefundRow[],
): number =>
  takenBack +
  sumOf(refunds.filter(({ paymentId, state }) => paymentId === id && state === 'succeeded'))

/** The total of an invoice with tax, before the balance was used. */
export function grossOf({ lines, amountPaid }: InvoiceRow): { gross: number; tax: number } {
  return {
    gross: Math.max(amountPaid, sumOf(lines.filter(({ kind }) => kind !== 'adjustment'))),
    tax: Math.max(0, sumOf(lines.filter(({ kind }) => kind === 'tax'))),
  }
}
