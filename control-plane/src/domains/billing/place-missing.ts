import type { BillingSettings } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../context.ts'
import { boundaryOf } from './boundary.ts'
import { endSubscription } from './end.ts'
import { type Locked, moved } from './moves.ts'
import { daysAfter, issueRenewal, nextPrice } from './renewal.ts'
import { once, tellAbout } from './steps.ts'
import * as store from './subscription-store.ts'
import { issuedWithTax, PLACE_ASKED, type TaxedStep } from './tax/wait.ts'
import { findWait } from './tax/wait-store.ts'

/** Days before a renewal would count as unpaid. */
const REMINDER_DAYS = [3, 1]

/** When a customer was asked for their address, which the next invoice still waits for. */
export async function placeAsked(
  ctx: Ctx,
  row: store.SubscriptionRow,
): Promise<{ readonly boundary: Date; readonly at: Date } | undefined> {
  const boundary = boundaryOf(row)
  const wait = await findWait(ctx.db, row.id)
  if (boundary === null || !wait?.needsAddress) return undefined
  const at = (await store.stepsOf(ctx.db, row.id, boundary)).get(PLACE_ASKED)
  return at && { boundary, at }
}

/**
 * The steps of a renewal that has no invoice because the customer's address is unknown: reminders,
 * and some days after the paid period a debt as for an unpaid invoice.
 */
export async function stepWithoutPlace(
  ctx: Ctx,
  now: Date,
  locked: Locked,
  settings: BillingSettings,
): Promise<store.SubscriptionRow> {
  const { row } = locked
  const asked = await placeAsked(ctx, row)
  if (!asked) return row
  const { boundary, at } = asked
  const from = new Date(Math.max(at.getTime(), boundary.getTime()))
  const unpaidAt = daysAfter(from, settings.taxPlaceDays)
  const endsTrial = row.status === 'trialing' && settings.trialEnd === 'cancel'
  if (now < unpaidAt) {
    const remindAt = (days: number) => daysAfter(unpaidAt, -days)
    const days = REMINDER_DAYS.findLast((days) => now >= remindAt(days) && at < remindAt(days))
    const until = endsTrial ? unpaidAt : daysAfter(unpaidAt, settings.graceDays)
    if (days !== undefined)
      await once(ctx, now, locked, `place_reminder_${days}`, boundary, 'tax_address_reminder', {
        until,
      })
    return row
  }
  if (endsTrial) return endSubscription(ctx, now, locked, 'trial_over')
  const status = moved(row, row.status === 'trialing' ? 'trial_unpaid' : 'renewal_unpaid')
  const until = daysAfter(now, settings.graceDays)
  await tellAbout(ctx, locked, 'tax_address_reminder', { until })
  return store.updateSubscription(ctx.db, now, row.id, { status, pastDueSince: now })
}

/**
 * Issues the invoice that an overdue subscription lacks, once its tax is known; the subscription is
 * then no longer overdue, because that invoice may be paid like any other.
 */
export async function issueOwed(
  ctx: Ctx,
  now: Date,
  locked: TaxedStep,
): Promise<store.SubscriptionRow | undefined> {
  const { row } = locked
  const price = await nextPrice(ctx, row)
  if (!price) return undefined
  const invoice = await issuedWithTax(locked, () => issueRenewal(ctx, now, locked, price))
  if (!invoice) return undefined
  // A trial has no anchor before its first paid period.
  const status = row.anchor === null ? 'trialing' : moved(row, 'place_given')
  return store.updateSubscription(ctx.db, now, row.id, { status, pastDueSince: null })
}
