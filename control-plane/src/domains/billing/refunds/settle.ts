import { refundMayBecome } from '@lodge/shared/billing/refunds.ts'
import type { Ctx } from '../../../context.ts'
import type { UserRow } from '../../customers/index.ts'
import { readSettings } from '../../settings/index.ts'
import { type InvoiceRow, nextNumber } from '../invoice-store.ts'
import { tell } from '../news.ts'
import { billingSettings } from '../settings.ts'
import { type RefundRow, updateRefund } from './refund-store.ts'

interface About {
  readonly user: UserRow | undefined
  readonly invoice: InvoiceRow
}

/** The money went back: its credit note gets the next number of the year, and the customer is told. */
export async function succeed(
  ctx: Ctx,
  now: Date,
  { user, invoice }: About,
  row: RefundRow,
  externalRef: string | null = row.externalRef,
): Promise<RefundRow> {
  if (!refundMayBecome(row.state, 'succeeded')) return row
  const { invoicePrefix } = await readSettings(ctx.db, billingSettings)
  const number = await nextNumber(ctx.db, `${invoicePrefix}-CN`, now)
  const settled = await updateRefund(ctx.db, row.id, {
    ...{ state: 'succeeded', externalRef, settledAt: now, nextAt: null, failure: null },
    number,
  })
  if (user) await tell(ctx, user, 'refunded', { invoice, amount: row.amount })
  return settled
}

/** The provider gives nothing back; the host is told why. */
export async function fail(
  ctx: Ctx,
  now: Date,
  { invoice }: About,
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
