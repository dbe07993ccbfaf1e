import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { wordsFor } from '../../../said-in.ts'
import { endSubscription } from '../end.ts'
import { type InvoiceRow, invoicesOf, paymentsOf, sumsOf } from '../invoice-store.ts'
import { type Locked, withSubscription } from '../moves.ts'
import { paperReader } from '../paper-reader.ts'
import { lockOrder, type SubscriptionRow } from '../subscription-store.ts'
import { waysToPay } from '../ways-to-pay.ts'
import { t } from '../words.ts'
import { giveBack } from './refund.ts'
import { lockInvoice, refundsAround } from './refund-store.ts'
import { leftAtProvider, leftOf, throughOf } from './what-is-left.ts'

/**
 * Refunds everything that was paid for a subscription whose server could not be created, and ends it:
 * payments through their providers, the rest in the way that the host chooses.
 */
export async function refundSubscription(
  ctx: Ctx,
  now: Date,
  subscription: SubscriptionRow,
  rest: 'host' | 'balance',
): Promise<void> {
  const open = new Set((await waysToPay(ctx)).map(({ id }) => id))
  await withSubscription(ctx, subscription, async (ctx, locked) => {
    const order = await lockOrder(ctx.db, locked.row.id)
    if (order?.state !== 'failed')
      throw new Problem(
        'invalid_state',
        'Its server did not fail: refund its invoices and end it instead',
      )
    for (const invoice of await invoicesOf(ctx.db, locked.row.id))
      if (invoice.status === 'paid') await refundAll(ctx, now, locked, invoice, open, rest)
    await endSubscription(ctx, now, locked, 'canceled_now')
  })
}

async function refundAll(
  ctx: Ctx,
  now: Date,
  { user }: Locked,
  { id }: InvoiceRow,
  open: ReadonlySet<string>,
  rest: 'host' | 'balance',
): Promise<void> {
  const invoice = await lockInvoice(ctx.db, id)
  if (!invoice) return
  const about = { user, invoice, open }
  const words = wordsFor(t, paperReader(invoice.locale))
  const reason = words.notCreated
  const before = () => refundsAround(ctx.db, [id])
  const payments = await paymentsOf(ctx.db, [id])
  const sums = await sumsOf(ctx.db, payments)
  for (const payment of payments) {
    const through = throughOf(payment, sums)
    const amount = leftAtProvider(payment, through, invoice, await before())
    if (amount > 0 && open.has(through.provider))
      await giveBack(ctx, now, about, {
        ...{ amount, way: 'provider', paymentId: payment.id, reason },
      })
  }
  const amount = leftOf(invoice, await before())
  if (amount > 0) await giveBack(ctx, now, about, { amount, way: rest, paymentId: null, reason })
}
