import { periodEnd } from '@lodge/shared/billing/cycles.ts'
import type { Ctx } from '../../context.ts'
import { wordsFor } from '../../said-in.ts'
import type { UserRow } from '../customers/index.ts'
import { findPrices, type PriceRow } from '../plans/index.ts'
import { boundaryOf } from './boundary.ts'
import type { InvoiceRow } from './invoice-store.ts'
import { moved } from './moves.ts'
import { paperReader } from './paper-reader.ts'
import { giveBack } from './refunds/refund.ts'
import { lockInvoice, refundsAround } from './refunds/refund-store.ts'
import { leftOf } from './refunds/what-is-left.ts'
import { takePrice, voidRenewals } from './renewal.ts'
import type { SubscriptionRow } from './subscription-store.ts'
import { t } from './words.ts'

/**
 * Applies a paid change of plan to its subscription. With another cycle a new period begins now; open
 * invoices at the old price are voided.
 */
export async function applyChange(
  ctx: Ctx,
  now: Date,
  row: SubscriptionRow,
  to?: PriceRow,
): Promise<Partial<SubscriptionRow> | undefined> {
  const ids = [row.priceId, row.pendingPriceId].filter((id) => id !== null)
  const prices = await findPrices(ctx.db, ids)
  const price = to ?? prices.get(row.pendingPriceId ?? '')
  const from = prices.get(row.priceId ?? '')
  if (!price || !from) return undefined
  const status = moved(row, 'changed')
  await voidRenewals(ctx, now, row)
  const taken = { status, ...(await takePrice(ctx, now, row, price)) }
  if (status !== 'active') return taken
  const anew = from.cycle !== price.cycle
  const over = endedBy(now, row)
  if (over === null)
    return {
      ...taken,
      ...(anew && { anchor: now, periodStart: now, periodEnd: periodEnd(now, price.cycle, 1) }),
    }
  // The next period has begun with the former price, and another cycle is counted from there.
  return {
    ...{ ...taken, formerPriceId: from.id, formerUntil: now },
    ...(anew && { anchor: over }),
  }
}

/** When the paid period ended; null if it goes on. */
function endedBy(now: Date, row: SubscriptionRow): Date | null {
  const boundary = boundaryOf(row)
  return boundary !== null && boundary <= now ? boundary : null
}

/**
 * Applies a change of plan whose invoice was just paid. If that took longer than the period that it was
 * for, as by direct debit, nothing of it was delivered: all of it goes to the balance, and the invoice of
 * the period that has begun meanwhile has the former price until now and the new one from now on.
 */
export async function applyPaidChange(
  ctx: Ctx,
  now: Date,
  user: UserRow,
  row: SubscriptionRow,
  invoice: InvoiceRow,
): Promise<Partial<SubscriptionRow> | undefined> {
  const change = await applyChange(ctx, now, row)
  const paid = change && endedBy(now, row) && (await lockInvoice(ctx.db, invoice.id))
  const amount = paid ? leftOf(paid, await refundsAround(ctx.db, [paid.id])) : 0
  if (paid && amount > 0) {
    const words = wordsFor(t, paperReader(paid.locale))
    const reason = words.changedLate
    const about = { user, invoice: paid, open: new Set<string>() }
    await giveBack(ctx, now, about, { amount, way: 'balance', paymentId: null, reason })
  }
  return change
}
