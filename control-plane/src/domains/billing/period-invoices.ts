import type { Ctx } from '../../context.ts'
import { boundaryOf } from './boundary.ts'
import { sumOf } from './invoice-lines.ts'
import { type InvoiceRow, invoicesOf, updateInvoice } from './invoice-store.ts'
import { lockInvoice, refundsAround } from './refunds/refund-store.ts'
import { givenFor, leftOf } from './refunds/what-is-left.ts'
import type { SubscriptionRow } from './subscription-store.ts'

/**
 * The invoices that paid the present period, the newest first: back to a renewal or the purchase, which paid
 * a period alone. A change of plan was paid in part by what came before it.
 */
function ofPeriod(row: SubscriptionRow, issued: readonly InvoiceRow[]): InvoiceRow[] {
  const boundary = boundaryOf(row)
  const isAhead = ({ kind, periodStart }: InvoiceRow) =>
    kind === 'renewal' && boundary !== null && periodStart !== null && periodStart >= boundary
  const paid = issued.filter((one) => one.status === 'paid' && !isAhead(one)).toReversed()
  const first = paid.findIndex(({ kind }) => kind !== 'change')
  return first < 0 ? paid : paid.slice(0, first + 1)
}

/** What was paid for the present period without what changes of plan gave back, and how much of it was not refunded. */
export interface PaidForPeriod {
  readonly paid: number
  readonly left: number
}

/** Undefined if no invoice paid the period, as after an import. */
export async function paidForPeriod(
  ctx: Ctx,
  row: SubscriptionRow,
  issued: readonly InvoiceRow[],
): Promise<PaidForPeriod | undefined> {
  const invoices = ofPeriod(row, issued)
  if (invoices.length === 0) return undefined
  const refunds = await refundsAround(
    ctx.db,
    invoices.map(({ id }) => id),
  )
  const sum = (of: (invoice: InvoiceRow) => number) =>
    invoices.reduce((total, invoice) => total + of(invoice), 0)
  return {
    paid: sum((invoice) => givenFor(invoice) - invoice.amountCredited),
    left: sum((invoice) => leftOf(invoice, refunds)),
  }
}

/** The part of a credit whose money was not refunded; rounded down. */
export const unrefunded = (credit: number, period: PaidForPeriod | undefined): number =>
  period && period.left < period.paid
    ? Number((BigInt(credit) * BigInt(period.left)) / BigInt(period.paid))
    : credit

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
  const issued = (await invoicesOf(ctx.db, row.id)).filter(({ id }) => id !== change.id)
  for (const { id } of ofPeriod(row, issued)) {
    const invoice = await lockInvoice(ctx.db, id)
    if (!invoice) continue
    const amount = Math.min(rest, leftOf(invoice, await refundsAround(ctx.db, [id])))
    if (amount <= 0) continue
    rest -= amount
    await updateInvoice(ctx.db, id, { amountCredited: invoice.amountCredited + amount })
  }
}
