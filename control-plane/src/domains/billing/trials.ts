import type { BillingSettings } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../context.ts'
import { findUser, type UserRow } from '../customers/index.ts'
import { findPrices, type PriceRow, planNames } from '../plans/index.ts'
import { readSettings } from '../settings/index.ts'
import { chargedBy, isExpiredOn } from './charges/charge.ts'
import { endSubscription } from './end.ts'
import { invoicesOf } from './invoice-store.ts'
import { type Locked, moved, withSubscription } from './moves.ts'
import { tell } from './news.ts'
import { fulfilOrder } from './orders.ts'
import { stillIfPaused } from './paused-account.ts'
import { daysAfter } from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'
import { waysToPay } from './ways-to-pay.ts'

/** How long the place and the stock of a trial are kept for somebody who saves no payment method. */
export const METHOD_DAYS = 1

/** Whether a purchase begins with a trial: each customer has one of a plan, ever. */
export const isOnTrial = async (
  ctx: Ctx,
  userId: string,
  { planId, trialDays }: PriceRow,
): Promise<boolean> => trialDays > 0 && !(await store.hadTrial(ctx.db, userId, planId))

/**
 * Whether a trial has to wait until its customer saved a payment method. Where no way to pay can save one,
 * nobody is asked for what they could not give.
 */
export async function needsMethod(
  ctx: Ctx,
  now: Date,
  settings: BillingSettings,
  userId: string,
): Promise<boolean> {
  if (!settings.trialRequiresPaymentMethod) return false
  if (!(await waysToPay(ctx)).some(({ saveMethod }) => saveMethod)) return false
  const by = await chargedBy(ctx, userId)
  return by === undefined || isExpiredOn(by, now)
}

/** Whether it is a trial that waits for a payment method: any other purchase has an invoice. */
export const waitsForMethod = async (ctx: Ctx, row: store.SubscriptionRow): Promise<boolean> =>
  row.status === 'incomplete' && (await invoicesOf(ctx.db, row.id)).length === 0

export async function beginTrial(
  ctx: Ctx,
  now: Date,
  user: UserRow,
  row: store.SubscriptionRow,
  price: PriceRow,
): Promise<store.SubscriptionRow> {
  await fulfilOrder(ctx, now, row.id)
  const plan = (await planNames(ctx.db, [row.planId])).get(row.planId) ?? ''
  await tell(ctx, user, 'activated', { plan, subscriptionId: row.id })
  await store.noteTrial(ctx.db, now, row)
  const change = await stillIfPaused(ctx.db, now, row, {
    status: moved(row, 'trial_granted'),
    expiresAt: null,
    trialEndsAt: daysAfter(now, price.trialDays),
  })
  return store.updateSubscription(ctx.db, now, row.id, change)
}

/**
 * Begins the trials that waited until their customer's payment method was saved. Of several of one plan
 * the first begins, and the others are given up.
 */
export async function beginWaitingTrials(ctx: Ctx, now: Date, userId: string): Promise<void> {
  if (!(await findUser(ctx.db, userId))) return
  const settings = await readSettings(ctx.db, billingSettings)
  // The one that was bought first is the first.
  for (const one of (await store.subscriptionsOf(ctx.db, userId)).toReversed())
    if (one.status === 'incomplete')
      await withSubscription(ctx, one, async (ctx, locked) => {
        if (!(await waitsForMethod(ctx, locked.row))) return
        const row = await beginOne(ctx, now, locked)
        await scheduleNext(ctx, now, row, settings)
      })
}

async function beginOne(ctx: Ctx, now: Date, locked: Locked): Promise<store.SubscriptionRow> {
  const { user, row } = locked
  const price = (await findPrices(ctx.db, row.priceId === null ? [] : [row.priceId])).get(
    row.priceId ?? '',
  )
  const isFirst = price !== undefined && (await isOnTrial(ctx, user.id, price))
  return isFirst
    ? beginTrial(ctx, now, user, row, price)
    : endSubscription(ctx, now, locked, 'checkout_over')
}
