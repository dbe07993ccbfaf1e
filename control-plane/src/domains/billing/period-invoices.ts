import type { Ctx } from '../../context.ts'
import { sumOf } from './invoice-lines.ts'
import { type InvoiceRow, invoicesOf, updateInvoice } from './invoice-store.ts'
import { lockInvoice, refundsAround } from './refunds/refund-store.ts'
import { leftOf, refundedOf } from './refunds/what-is-left.ts'
import type { SubscriptionRow } from './subscription-store.ts'

/**
 * The invoices that paid the present period: its renewal, or the one whose payment began it, and changes
 * of plan since.
 */
function ofPeriod({ periodStart }: SubscriptionRow, issued: readonly InvoiceRow[]): InvoiceRow[] {
  const start = periodStart?.getTime()
  if (start === undefined) return []
  return issued.filter((invoice) => {
    const paidAt = invoice.paidAt?.getTime()
    if (invoice.status !== 'paid' || paidAt === undefined) return false
    const began = invoice.periodStart?.getTime() === start || paidAt === start
    return began || (invoice.kind === 'change' && paidAt > start)
  })
}

/** Whether everything that was paid for the present period was refunded, so that it is free. */
export async function isRefunded(
  ctx: Ctx,
  row: SubscriptionRow,
  issued: readonly InvoiceRow[],
): Promise<boolean> {
  const invoices = ofPeriod(row, issued)
  const refunds = await refundsAround(
    ctx.db,
    invoices.map(({ id }) => id),
  )
  return (
    invoices.some(({ id }) => refundedOf(refunds, id) > 0) &&
    invoices.every((invoice) => leftOf(invoice, refunds) === 0)
  )
}

/**
 * Notes with the invoices that paid the present period what a change of plan has given back of them to
 * the balance, so that it cannot be refunded as well. The customer and the subscription are locked.
 */
export async function noteCredit(
  ctx: Ctx,
  row: SubscriptionRow,
  change: InvoiceRow,
): Promise<void> {
  const toBalance = change.lines.filter(({ kind, amount }) => kind === 'adjustment' && amount > 0)
  let rest = sumOf(toBalance)
  if (rest === 0) return
  const issued = await invoicesOf(ctx.db, row.id)
  const earlier = ofPeriod(row, issued).filter(({ id }) => id !== change.id)
  for (const { id } of earlier.toReversed()) {
    const invoice = await lockInvoice(ctx.db, id)
    if (!invoice) continue
    const amount = Math.min(rest, leftOf(invoice, await refundsAround(ctx.db, [id])))
    if (amount <= 0) continue
    rest -= amount
    await updateInvoice(ctx.db, id, { amountCredited: invoice.amountCredited + amount })
  }
}
