import { refundMayBecome } from '@lodge/shared/billing/refunds.ts'
import type { Ctx } from '../../../context.ts'
import type { UserRow } from '../../customers/index.ts'
import { readSettings } from '../../settings/index.ts'
import { type InvoiceRow, nextNumber } from '../invoice-store.ts'
import { type Moved, tell } from '../news.ts'
import { billingSettings } from '../settings.ts'
import { recordCredit, recordCreditUndone } from '../tax/record.ts'
import { lockInvoice, type RefundRow, updateRefund } from './refund-store.ts'

export interface Taken {
  readonly user: UserRow | undefined
  readonly invoice: InvoiceRow
}

/** The invoice of a refund or payment, locked, with its customer. */
export async function aboutOf(
  ctx: Ctx,
  about: Taken,
  { invoiceId }: { readonly invoiceId: string },
): Promise<Taken> {
  if (invoiceId === about.invoice.id) return about
  const invoice = await lockInvoice(ctx.db, invoiceId)
  if (!invoice) throw new Error('a loaded invoice is gone')
  return { user: about.user, invoice }
}

/**
 * The refund succeeded: its credit note gets the next number of the year, and the customer is
 * notified.
 */
export async function succeed(
  ctx: Ctx,
  now: Date,
  { user, invoice }: Taken,
  row: RefundRow,
  externalRef: string | null = row.externalRef,
): Promise<RefundRow> {
  if (!refundMayBecome(row.state, 'succeeded')) return row
  const settled = await credited(ctx, now, row, externalRef)
  const news = row.way === 'balance' ? 'refunded_to_balance' : 'refunded'
  if (user) await tell(ctx, user, news, { invoice, amount: row.amount, reason: row.reason })
  return settled
}

/** Gives a refund its credit note. */
export async function credited(
  ctx: Ctx,
  now: Date,
  row: RefundRow,
  externalRef: string | null = row.externalRef,
): Promise<RefundRow> {
  const { invoicePrefix } = await readSettings(ctx.db, billingSettings)
  const number = await nextNumber(ctx.db, `${invoicePrefix}-CN`, now)
  const credited = await updateRefund(ctx.db, row.id, {
    ...{ state: 'succeeded', externalRef, settledAt: now, nextAt: null, failure: null },
    number,
  })
  await recordCredit(ctx, now, credited)
  return credited
}

/** A refund that had succeeded was returned: its credit note no longer counts. */
export async function reverse(
  ctx: Ctx,
  now: Date,
  { user, invoice }: Taken,
  row: RefundRow,
): Promise<void> {
  if (!refundMayBecome(row.state, 'reversed')) return
  await updateRefund(ctx.db, row.id, { state: 'reversed', settledAt: now })
  await recordCreditUndone(ctx, row, invoice)
  if (user && row.way === 'provider')
    await tell(ctx, user, 'refund_reversed', { invoice, amount: row.amount })
  await tellHost(ctx, invoice, row, row.way === 'dispute' ? 'dispute_won' : 'refund_reversed')
}

/** Notifies the host that money of an invoice moved at its provider without their doing. */
export const tellHost = (
  ctx: Ctx,
  { number, buyer, currency }: InvoiceRow,
  { id, amount, reason }: Pick<RefundRow, 'id' | 'amount' | 'reason'>,
  what: Moved,
): Promise<void> =>
  ctx.emit('billing.money_moved', {
    ...{ refundId: id, number, email: buyer.email, what, reason },
    amount: { amount, currency },
  })

/** The refund failed at the provider; the host learns why. */
export async function fail(
  ctx: Ctx,
  now: Date,
  { invoice }: Taken,
  row: RefundRow,
  why: string,
): Promise<void> {
  if (!refundMayBecome(row.state, 'failed')) return
  await updateRefund(ctx.db, row.id, {
    ...{ state: 'failed', failure: why, settledAt: now, nextAt: null },
  })
  const { number, buyer } = invoice
  await ctx.emit('billing.refund_failed', { refundId: row.id, number, email: buyer.email, why })
}
