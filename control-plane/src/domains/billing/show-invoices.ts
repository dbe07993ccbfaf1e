import type { Invoice } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../context.ts'
import { type ChargeRow, lastCharges } from './charges/charge-store.ts'
import { type InvoiceRow, type PaymentRow, paymentsOf, sumsOf } from './invoice-store.ts'
import { type RefundRow, refundsAround } from './refunds/refund-store.ts'
import {
  leftAtProvider,
  leftOf,
  refundedOf,
  throughOf,
  wentBackOf,
} from './refunds/what-is-left.ts'

/** An invoice for the API; without payments and refunds, a new one. */
export function showInvoice(
  row: InvoiceRow,
  payments: readonly PaymentRow[] = [],
  refunds: readonly RefundRow[] = [],
  isHost = false,
  charge?: ChargeRow,
  sums: ReadonlyMap<string, PaymentRow> = new Map(),
): Invoice {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    currency: row.currency,
    lines: row.lines,
    total: row.total,
    amountPaid: row.amountPaid,
    amountDue: row.status === 'open' ? row.total - row.amountPaid : 0,
    issuedAt: row.issuedAt.toISOString(),
    dueAt: row.dueAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    subscriptionId: row.subscriptionId,
    planName: row.planName,
    buyer: { ...row.buyer, address: row.buyer.address ?? '' },
    payments: payments
      .filter(({ invoiceId }) => invoiceId === row.id)
      .map((payment) => ({
        ...{ id: payment.id, amount: payment.amount, reference: payment.reference },
        ...{ receivedAt: payment.receivedAt.toISOString(), provider: payment.provider },
        sumOf: sums.get(payment.sumId ?? '')?.provider ?? null,
        refundable: leftAtProvider(payment, throughOf(payment, sums), row, refunds),
        refunded: wentBackOf(payment, refunds),
        fromBalance: payment.takenBack,
      })),
    refunds: refunds
      .filter(({ invoiceId }) => invoiceId === row.id)
      .map(({ id, number, amount, way, state, reason, failure, createdAt }) => ({
        ...{ id, number, amount, way, state, reason, createdAt: createdAt.toISOString() },
        failure: isHost ? failure : null,
      })),
    amountRefunded: refundedOf(refunds, row.id),
    amountCredited: row.amountCredited,
    refundable: leftOf(row, refunds),
    charge: row.status === 'open' && charge ? showCharge(charge) : null,
  }
}

function showCharge({ state, failure }: ChargeRow): Invoice['charge'] {
  if (state === 'failed') return { state, failure: failure === '' ? null : failure }
  return state === 'waiting' || state === 'processing' ? { state: 'charging', failure: null } : null
}

/**
 * Invoices for the API, with their payments and refunds.
 * @param charges the latest of each open invoice, if they are known
 */
export async function showInvoices(
  ctx: Ctx,
  rows: readonly InvoiceRow[],
  given: { readonly isHost?: boolean; readonly charges?: ReadonlyMap<string, ChargeRow> } = {},
): Promise<Invoice[]> {
  const ids = rows.map(({ id }) => id)
  const payments = await paymentsOf(ctx.db, ids)
  const refunds = await refundsAround(ctx.db, ids)
  const sums = await sumsOf(ctx.db, payments)
  const open = rows.flatMap(({ id, status }) => (status === 'open' ? [id] : []))
  const charges = given.charges ?? (await lastCharges(ctx.db, open))
  return rows.map((row) =>
    showInvoice(row, payments, refunds, given.isHost, charges.get(row.id), sums),
  )
}
