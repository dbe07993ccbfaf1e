import type { Ctx } from '../../../context.ts'
import { liftPlanServer, suspendPlanServer } from '../../servers/index.ts'
import { readSettings } from '../../settings/index.ts'
import { findInvoice } from '../invoice-store.ts'
import { billingSettings } from '../settings.ts'
import { hasNote } from './dispute-note-store.ts'
import { isDisputed, paidBy, refundsOf, wasLost } from './refund-store.ts'
import { keptOf } from './what-is-left.ts'

/** Suspends what a disputed payment paid for, except where all of that was returned. */
export async function suspendPaid(ctx: Ctx, paymentId: string): Promise<void> {
  const { suspendDisputed } = await readSettings(ctx.db, billingSettings)
  if (!suspendDisputed) return
  for (const { id, subscriptionId } of await paidBy(ctx.db, paymentId)) {
    const invoice = subscriptionId === null ? undefined : await findInvoice(ctx.db, id)
    if (subscriptionId === null || !invoice) continue
    if (keptOf(invoice, await refundsOf(ctx.db, [id])) > 0)
      await suspendPlanServer(ctx, subscriptionId, 'dispute')
  }
}

/** Lifts what a dispute of a payment has suspended, as far as nothing else disputed concerns it. */
export async function lift(ctx: Ctx, paymentId: string | null): Promise<void> {
  for (const { id, subscriptionId } of paymentId === null ? [] : await paidBy(ctx.db, paymentId)) {
    if (subscriptionId === null || (await isDisputed(ctx.db, subscriptionId))) continue
    // After a lost dispute, the host decides about the server.
    if ((await wasLost(ctx.db, id)) || (await hasNote(ctx.db, subscriptionId, 'lost'))) continue
    await liftPlanServer(ctx, subscriptionId, 'dispute')
  }
}
