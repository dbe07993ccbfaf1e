import type { BillingSettings } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../context.ts'
import { boundaryOf } from './boundary.ts'
import { invoicesOf } from './invoice-store.ts'
import { daysAfter, invoiceFrom, issueAt, nextPrice } from './renewal.ts'
import * as store from './subscription-store.ts'

const OVERDUE_DAYS = [1, 3, 4, 5]
/** Upper limit between two looks, which bounds the damage of a time that this module missed. */
const LONGEST_DAYS = 1

const SOON_MS = 60_000

/** The first of these times, or a day from now if that is earlier. */
export const earliest = (now: Date, times: readonly Date[]): Date =>
  new Date(Math.min(...times.map((at) => at.getTime()), daysAfter(now, LONGEST_DAYS).getTime()))

/**
 * Stores when to look at a subscription next. The time may be too early, which is harmless, but is
 * never more than a day away.
 * @param again a step was just taken, which may make another one due
 */
export async function scheduleNext(
  ctx: Ctx,
  now: Date,
  row: store.SubscriptionRow,
  settings: BillingSettings,
  again = true,
): Promise<void> {
  const times = (await timesOf(ctx, row, settings)).filter((at): at is Date => at !== null)
  const soon = times.filter((at) => at > now)
  const isOver = row.status === 'canceled' || row.status === 'expired'
  // Its time stands still.
  const isPaused = row.status === 'suspended' && row.suspendedFor !== 'unpaid'
  const endless = isOver || isPaused || row.priceId === null
  const nextAt = endless
    ? null
    : earliest(now, again ? [...soon, new Date(now.getTime() + SOON_MS)] : soon)
  if (row.nextAt?.getTime() !== nextAt?.getTime())
    await store.updateSubscription(ctx.db, now, row.id, { nextAt })
}

/**
 * The next time at which something is lost without a payment: when an overdue one is suspended, or one
 * that is suspended for it ends. Later where warnings come late or a provider is waited for.
 */
export function payByOf(row: store.SubscriptionRow, settings: BillingSettings): Date | null {
  const { status, suspendedFor, pastDueSince: since, holdUntil } = row
  if (since === null) return null
  const isUnpaid = status === 'suspended' && suspendedFor === 'unpaid'
  if (status !== 'past_due' && !isUnpaid) return null
  const by = daysAfter(since, isUnpaid ? settings.terminateDays : settings.graceDays)
  return holdUntil !== null && holdUntil > by ? holdUntil : by
}

async function timesOf(
  ctx: Ctx,
  row: store.SubscriptionRow,
  settings: BillingSettings,
): Promise<(Date | null)[]> {
  if (row.status === 'incomplete') return [row.expiresAt]
  const since = row.pastDueSince
  if (since !== null && (row.status === 'past_due' || row.status === 'suspended'))
    return [
      row.holdUntil,
      ...OVERDUE_DAYS.map((days) => daysAfter(since, days)),
      daysAfter(since, settings.graceDays),
      ...[7, 1, 0].map((days) => daysAfter(since, settings.terminateDays - days)),
    ]
  const price = await nextPrice(ctx, row)
  const boundary = boundaryOf(row)
  const invoices = await invoicesOf(ctx.db, row.id)
  const invoice = boundary ? invoiceFrom(invoices, boundary) : undefined
  const change = invoices.find(({ id }) => id === row.pendingInvoiceId)
  return [
    boundary,
    price ? issueAt(row, price.cycle, settings) : null,
    invoice?.dueAt ?? null,
    invoice ? daysAfter(invoice.dueAt, -3) : null,
    change?.dueAt ?? null,
  ]
}
