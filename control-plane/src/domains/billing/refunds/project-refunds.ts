import { randomUUIDv7 } from 'node:crypto'
import { taxInRefund } from '@lodge/shared/billing/refunds.ts'
import type { Ctx } from '../../../context.ts'
import { sumOf } from '../invoice-lines.ts'
import { findInvoice } from '../invoice-store.ts'
import { lockForRefund } from './refund.ts'
import { insertRefund, paymentNamed, refundsOf } from './refund-store.ts'
import { succeed } from './settle.ts'
import { grossOf, leftOf, refundedOf } from './what-is-left.ts'

/**
 * Takes over what a provider says of a payment: that so much of it went back by now. It settles
 * refunds that are pending, the oldest first; what nobody asked for here was refunded at the
 * provider's own pages and gets a credit note, too.
 */
export async function takeRefunded(
  ctx: Ctx,
  now: Date,
  provider: string,
  ref: string,
  refunded: number,
): Promise<void> {
  const payment = refunded > 0 ? await paymentNamed(ctx.db, provider, ref) : undefined
  const found = payment && (await findInvoice(ctx.db, payment.invoiceId))
  if (!payment || !found) return
  await ctx.transaction(async (ctx) => {
    const about = await lockForRefund(ctx, found)
    const { invoice } = about
    const all = await refundsOf(ctx.db, [invoice.id])
    const back = all.filter(({ paymentId }) => paymentId === payment.id)
    let rest = refunded - sumOf(back.filter(({ state }) => state === 'succeeded'))
    const pending = back.filter(({ state }) => state === 'pending')
    const settles = pending.filter(({ amount }) => {
      const fits = amount <= rest
      if (fits) rest -= amount
      return fits
    })
    for (const row of settles) await succeed(ctx, now, about, row)
    // What is left may be the begin of one that is pending.
    if (settles.length < pending.length) return
    const amount = Math.min(rest, leftOf(invoice, all))
    if (amount <= 0) return
    const row = await insertRefund(ctx.db, {
      ...{ id: randomUUIDv7(), invoiceId: invoice.id, paymentId: payment.id, amount },
      ...{ way: 'provider', state: 'pending', reason: '', createdAt: now },
      tax: taxInRefund({ ...grossOf(invoice), before: refundedOf(all, invoice.id), amount }),
    })
    await succeed(ctx, now, about, row)
  })
}
