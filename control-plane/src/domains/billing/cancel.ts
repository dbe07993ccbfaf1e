import type { SubscriptionEvent } from '@lodge/shared/billing/transitions.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { planNames } from '../plans/index.ts'
import { readSettings } from '../settings/index.ts'
import { endSubscription } from './end.ts'
import { dropPending } from './growth.ts'
import { invoicesOf } from './invoice-store.ts'
import { voidInvoice } from './invoices.ts'
import { type Locked, moved, withSubscription } from './moves.ts'
import { tell } from './news.ts'
import { isNextPeriodPaid, paidUntil, voidRenewals } from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'

/** Statuses in which a cancellation takes effect immediately, because no paid time is left. */
const AT_ONCE: { readonly [S in store.SubscriptionRow['status']]?: SubscriptionEvent } = {
  incomplete: 'checkout_over',
  past_due: 'canceled_overdue',
  suspended: 'canceled_overdue',
}

/** Cancels at the end of what is paid, also of a next period; immediately if nothing is paid. */
export async function cancelSubscription(
  ctx: Ctx,
  now: Date,
  subscription: store.SubscriptionRow,
): Promise<void> {
  await withSubscription(ctx, subscription, async (ctx, locked) => {
    const event = AT_ONCE[locked.row.status]
    if (event) return endSubscription(ctx, now, locked, event)
    const { row } = locked
    moved(row, 'cancel_scheduled')
    // A free subscription has no period that could end.
    if (row.priceId === null) return endSubscription(ctx, now, locked, 'canceled_now')
    await voidRenewals(ctx, now, row)
    await dropChange(ctx, now, row)
    const plan = (await planNames(ctx.db, [row.planId])).get(row.planId) ?? ''
    const until = await paidUntil(ctx, row)
    if (!row.cancelAtPeriodEnd)
      await tell(ctx, locked.user, 'cancel_scheduled', { plan, subscriptionId: row.id, until })
    return change(ctx, now, row, {
      cancelAtPeriodEnd: true,
      ...(isNextPeriodPaid(row, until) ? {} : await dropPending(ctx, row)),
    })
  })
}

async function dropChange(ctx: Ctx, now: Date, row: store.SubscriptionRow): Promise<void> {
  for (const invoice of await invoicesOf(ctx.db, row.id))
    if (invoice.id === row.pendingInvoiceId && invoice.status === 'open')
      await voidInvoice(ctx, now, invoice)
}

/** Undoes a cancellation before the period ends. */
export const resumeSubscription = (
  ctx: Ctx,
  now: Date,
  subscription: store.SubscriptionRow,
): Promise<unknown> =>
  withSubscription(ctx, subscription, async (ctx, { row }: Locked) => {
    moved(row, 'resumed')
    if (!row.cancelAtPeriodEnd)
      throw new Problem('invalid_transition', 'The subscription is not cancelled')
    return change(ctx, now, row, { cancelAtPeriodEnd: false })
  })

/** Ends a subscription immediately, whatever was paid. */
export const cancelNow = (
  ctx: Ctx,
  now: Date,
  subscription: store.SubscriptionRow,
): Promise<unknown> =>
  withSubscription(ctx, subscription, (ctx, locked) =>
    endSubscription(
      ctx,
      now,
      locked,
      locked.row.status === 'incomplete' ? 'checkout_over' : 'canceled_now',
    ),
  )

/**
 * Protects a subscription from suspension and from its end until the given time; null ends the
 * protection.
 */
export const holdSubscription = (
  ctx: Ctx,
  now: Date,
  subscription: store.SubscriptionRow,
  holdUntil: Date | null,
): Promise<unknown> =>
  withSubscription(ctx, subscription, (ctx, { row }) => change(ctx, now, row, { holdUntil }))

async function change(
  ctx: Ctx,
  now: Date,
  row: store.SubscriptionRow,
  values: Partial<store.SubscriptionRow>,
): Promise<void> {
  const next = await store.updateSubscription(ctx.db, now, row.id, values)
  await scheduleNext(ctx, now, next, await readSettings(ctx.db, billingSettings))
}
