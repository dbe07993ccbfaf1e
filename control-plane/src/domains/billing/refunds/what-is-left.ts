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
export function givenFor({ amountPaid, lines }: InvoiceRow): number {
  const taken = -sumOf(lines.filter(({ kind }) => kind === 'adjustment'))
  return amountPaid + Math.max(0, taken)
}

/** What can still be refunded of an invoice: not what a change of plan has given back to the balance. */
export const leftOf = (invoice: InvoiceRow, refunds: readonly RefundRow[]): number =>
  invoice.status === 'paid'
    ? givenFor(invoice) - invoice.amountCredited - refundedOf(refunds, invoice.id)
    : 0

/** What the host has of what was paid for an invoice, also if that is on the customer's balance now or disputed. */
export const keptOf = (invoice: InvoiceRow, refunds: readonly RefundRow[]): number => {
  const kept = ({ way }: RefundRow) => way === 'balance' || way === 'dispute'
  const returned = refunds.filter((one) => !kept(one))
  return invoice.status === 'paid' ? givenFor(invoice) - refundedOf(returned, invoice.id) : 0
}

/** The payment at a provider through which a payment of an invoice can go back. */
export const throughOf = (payment: PaymentRow, sums: ReadonlyMap<string, PaymentRow>): PaymentRow =>
  sums.get(payment.sumId ?? '') ?? payment

/**
 * What the provider of a payment can still refund; 0 for a payment that the host recorded. Of a payment in
 * one sum, at most what the invoice got of it.
 * @param through the payment itself, or the sum that it is a part of
 * @param refunds of the invoice, and of others that the sum paid
 */
export function leftAtProvider(
  payment: PaymentRow,
  through: PaymentRow,
  invoice: InvoiceRow,
  refunds: readonly RefundRow[],
): number {
  if (through.externalRef === null) return 0
  const back = refunds.filter((one) => one.paymentId === through.id && counts(one))
  const isPart = payment.id !== through.id
  // Until the dispute of the sum ends, the bank may take all of it.
  if (isPart && back.some(({ way, state }) => way === 'dispute' && state === 'pending')) return 0
  const ofPart = payment.amount - refundedOf(back, payment.invoiceId)
  const atProvider = through.amount - through.takenBack - sumOf(back)
  const most = isPart ? Math.min(ofPart, atProvider) : atProvider
  return Math.max(0, Math.min(most, leftOf(invoice, refunds)))
}

/** What was returned to the payer of a payment, or left the balance again because of that. */
export const wentBackOf = (
  { id, invoiceId, sumId, takenBack }: PaymentRow,
  refunds: readonly RefundRow[],
): number =>
  takenBack +
  sumOf(
    refunds.filter(
      ({ paymentId, invoiceId: of, state }) =>
        state === 'succeeded' &&
        (paymentId === id || (sumId !== null && paymentId === sumId && of === invoiceId)),
    ),
  )

/** What went back through these payments of an invoice for the other invoices that they paid. */
export const refundedElsewhere = (
  payments: readonly PaymentRow[],
  refunds: readonly RefundRow[],
  invoiceId: string,
): number =>
  sumOf(
    refunds.filter(
      (one) =>
        one.invoiceId !== invoiceId &&
        counts(one) &&
        payments.some(({ id }) => id === one.paymentId),
    ),
  )

/** The total of an invoice with tax, before the balance was used. */
export function grossOf({ lines, amountPaid }: InvoiceRow): { gross: number; tax: number } {
  return {
    gross: Math.max(amountPaid, sumOf(lines.filter(({ kind }) => kind !== 'adjustment'))),
    tax: Math.max(0, sumOf(lines.filter(({ kind }) => kind === 'tax'))),
  }
}
