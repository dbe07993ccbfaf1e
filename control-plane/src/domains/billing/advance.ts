import type { BillingSettings } from '@lodge/shared/billing/billing.ts'
import { type Ctx, contextFor } from '../../context.ts'
import type { Services } from '../../services.ts'
import { suspendPlanServer } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { boundaryOf } from './boundary.ts'
import {
  chargeAgain,
  chargedBy,
  chargeOnce,
  isBeingCharged,
  isExpiredOn,
} from './charges/charge.ts'
import { endSubscription } from './end.ts'
import { dropPending, followServer } from './growth.ts'
import { type InvoiceRow, invoicesOf } from './invoice-store.ts'
import { voidInvoice } from './invoices.ts'
import { type Locked, moved, withSubscription } from './moves.ts'
import { tell } from './news.ts'
import { invoicePaid } from './pay.ts'
import { issueOwed, placeAsked, stepWithoutPlace } from './place-missing.ts'
import { mayBePaid } from './providers/pages.ts'
import {
  daysAfter,
  GIFT,
  invoiceFrom,
  issueAt,
  issueRenewal,
  nextAnchor,
  nextPeriod,
  nextPrice,
  paidUntil,
  takePrice,
} from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import { isFirst, once, tellAbout } from './steps.ts'
import * as store from './subscription-store.ts'
import {
  issuedWithTax,
  type TaxedStep,
  type TaxMissing,
  taxDue,
  taxFound,
  type Untaxed,
} from './tax/wait.ts'

/**
 * Advances each subscription that is due: invoices, renewals, reminders, suspension, end. One
 * transaction and at most one step each, so that after a downtime nobody loses a subscription before
 * the warnings, and an error in one does not hold up the others.
 */
export async function advanceDue(services: Services, now = new Date()): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  const due = await store.dueSubscriptions(ctx.db, now)
  const advanceOne = (one: (typeof due)[number]) =>
    withSubscription(ctx, one, (ctx, locked) => advance(ctx, now, locked))
  const untaxed: Untaxed[] = []
  for (const one of due)
    try {
      const missing = await advanceOne(one)
      if (missing) untaxed.push({ ...one, missing })
    } catch (error) {
      services.log.error({ err: error, subscription: one.id }, 'a subscription was not advanced')
      await store.updateSubscription(ctx.db, now, one.id, {
        nextAt: new Date(now.getTime() + RETRY_MS),
      })
    }
  await taxDue(ctx, now, untaxed, advanceOne)
  return due.length
}
const RETRY_MS = 5 * 60_000

/**
 * Takes the next step of one subscription, which is locked, and schedules the next look: soon if the
 * tax of its next invoice is missing.
 * @returns the missing tax
 */
export async function advance(
  ctx: Ctx,
  now: Date,
  locked: Locked,
): Promise<TaxMissing | undefined> {
  const settings = await readSettings(ctx.db, billingSettings)
  const missing: TaxMissing[] = []
  const row = await stepOf(ctx, now, { ...locked, missing }, settings)
  await scheduleNext(ctx, now, row, settings, row !== locked.row || missing.length > 0)
  if (missing.length === 0) await taxFound(ctx, locked)
  return missing[0]
}

async function stepOf(
  ctx: Ctx,
  now: Date,
  locked: TaxedStep,
  settings: BillingSettings,
): Promise<store.SubscriptionRow> {
  const { row } = locked
  if (row.status === 'incomplete' && row.expiresAt !== null && row.expiresAt <= now) {
    const invoice = (await invoicesOf(ctx.db, row.id)).find(({ status }) => status === 'open')
    if (await isMoneyAwaited(ctx, now, locked, invoice, row.expiresAt)) return row
    return endSubscription(ctx, now, locked, 'checkout_over')
  }
  // A server that the customer has already may move before it is paid for.
  if (row.status === 'incomplete') await followServer(ctx, row)
  if (row.status === 'trialing' || row.status === 'active')
    return stepOfPaid(ctx, now, locked, settings)
  if (row.status === 'past_due') return stepOfOverdue(ctx, now, locked, settings)
  if (row.status === 'suspended' && row.suspendedFor === 'unpaid')
    return stepOfSuspended(ctx, now, locked, settings)
  return row
}

async function stepOfPaid(
  ctx: Ctx,
  now: Date,
  locked: TaxedStep,
  settings: BillingSettings,
): Promise<store.SubscriptionRow> {
  const row = await dropUnpaidChange(ctx, now, locked)
  await followServer(ctx, row)
  const boundary = boundaryOf(row)
  if (boundary === null) return row
  const over = boundary <= now
  // Its change may still be paid, which decides what the next period costs.
  if (row.pendingInvoiceId !== null) return row
  if (row.cancelAtPeriodEnd) {
    if (!over) return row
    // A next period that was paid ahead is delivered before it ends.
    if ((await paidUntil(ctx, row))?.getTime() === boundary.getTime())
      return endSubscription(ctx, now, { ...locked, row }, 'period_over')
  }
  const price = await nextPrice(ctx, row)
  const from = price && issueAt(row, price.cycle, settings)
  if (!price || !from || from > now) return row
  const invoices = await invoicesOf(ctx.db, row.id)
  const present = invoiceFrom(invoices, boundary)
  const isGift = !present && (await store.stepsOf(ctx.db, row.id, boundary)).has(GIFT)
  if (!isGift) {
    // No invoice is issued without its tax, and a customer loses nothing because a tax plugin does
    // not answer.
    const issue = () => issueRenewal(ctx, now, { ...locked, row }, price)
    const invoice = present ?? (await issuedWithTax(locked, issue))
    if (!invoice) return stepWithoutPlace(ctx, now, { ...locked, row }, settings)
    if (invoice.status === 'open')
      return stepOfOpen(ctx, now, { ...locked, row }, invoice, settings)
  }
  if (!over) return row
  const period = nextPeriod(row, price.cycle)
  return store.updateSubscription(ctx.db, now, row.id, {
    ...(await takePrice(ctx, now, row, price)),
    status: moved(row, row.status === 'trialing' ? 'trial_paid' : 'renewed'),
    anchor: nextAnchor(row, price.cycle),
    periodStart: period?.startsAt ?? null,
    periodEnd: period?.endsAt ?? null,
    ...(isGift && { freeFrom: period?.startsAt ?? null }),
  })
}

/**
 * The consequences of an open invoice for the next period: a reminder, and from its due date a debt.
 */
async function stepOfOpen(
  ctx: Ctx,
  now: Date,
  locked: Locked,
  invoice: InvoiceRow,
  settings: BillingSettings,
): Promise<store.SubscriptionRow> {
  const { row } = locked
  if (now < invoice.dueAt) {
    const remindAt = daysAfter(invoice.dueAt, -REMINDER_DAYS)
    if (now >= remindAt && invoice.issuedAt < remindAt) await remind(ctx, now, locked, invoice)
    return row
  }
  const charging = await chargeOnce(ctx, now, invoice)
  if (charging === 'under way') return row
  // Who can still be charged wanted to go on, and is dunned like anybody whose renewal was declined.
  const wantsOn = charging === 'failed' && (await chargedBy(ctx, locked.user.id)) !== undefined
  if (row.status === 'trialing' && settings.trialEnd === 'cancel' && !wantsOn) {
    if (await isMoneyAwaited(ctx, now, locked, invoice, invoice.dueAt)) return row
    return endSubscription(ctx, now, locked, 'trial_over')
  }
  const status = moved(row, row.status === 'trialing' ? 'trial_unpaid' : 'renewal_unpaid')
  const until = daysAfter(now, settings.graceDays)
  const news = charging === 'failed' ? 'charge_failed' : 'suspension_warning'
  await tell(ctx, locked.user, news, { invoice, until })
  return store.updateSubscription(ctx.db, now, row.id, { status, pastDueSince: now })
}
const REMINDER_DAYS = 3
const REMINDS = { trial: 'trial_ending', period: 'payment_reminder' } as const

/**
 * Reminds of an invoice that is due soon; an automatic charge needs a reminder only if it ends a
 * trial, or is going to fail.
 */
async function remind(ctx: Ctx, now: Date, locked: Locked, invoice: InvoiceRow): Promise<void> {
  const by = await chargedBy(ctx, locked.user.id)
  const isTrial = locked.row.status === 'trialing'
  const works = by && !isExpiredOn(by, invoice.dueAt)
  if (works && !isTrial) return
  const news = works
    ? 'trial_charge'
    : by
      ? 'method_expires'
      : REMINDS[isTrial ? 'trial' : 'period']
  await once(ctx, now, locked, 'reminder', invoice.dueAt, news, { invoice })
}

/** Drops a change of plan whose invoice was not paid in time, once no money for it is awaited. */
async function dropUnpaidChange(
  ctx: Ctx,
  now: Date,
  locked: Locked,
): Promise<store.SubscriptionRow> {
  const { row } = locked
  if (row.pendingInvoiceId === null) return row
  const invoice = (await invoicesOf(ctx.db, row.id)).find(({ id }) => id === row.pendingInvoiceId)
  const [late, boundary] = [invoice?.dueAt, boundaryOf(row)]
  const since = boundary && late && boundary < late ? boundary : (late ?? boundary)
  if (!since || since > now) return row
  if (invoice?.status === 'open') {
    if (await isMoneyAwaited(ctx, now, locked, invoice, since)) return row
    await voidInvoice(ctx, now, invoice)
  }
  return store.updateSubscription(ctx.db, now, row.id, await dropPending(ctx, row))
}

/**
 * Whether an open invoice is being charged, or may have been paid on a page: what its lack would end waits.
 * @param since when that became due
 */
const isMoneyAwaited = async (
  ctx: Ctx,
  now: Date,
  locked: Locked,
  invoice: InvoiceRow | undefined,
  since: Date,
): Promise<boolean> =>
  (await isBeingCharged(ctx, invoice)) || (await mayBePaid(ctx, now, locked, invoice, since))

const OVERDUE_REMINDERS = [1, 3, 5]
const WARNING_DAYS = 4

async function stepOfOverdue(
  ctx: Ctx,
  now: Date,
  locked: TaxedStep,
  settings: BillingSettings,
): Promise<store.SubscriptionRow> {
  const { row } = locked
  if (row.cancelAtPeriodEnd) return endSubscription(ctx, now, locked, 'period_over')
  const since = row.pastDueSince ?? now
  const invoices = await invoicesOf(ctx.db, row.id)
  const invoice = invoices.find(({ status }) => status === 'open')
  if (!invoice && !isBilled(row, invoices)) {
    const issued = await issueOwed(ctx, now, locked)
    if (issued || !(await placeAsked(ctx, row))) return issued ?? row
  }
  const until = daysAfter(since, settings.graceDays)
  const mayEnd = now >= until && !isHeld(row, now)
  if (mayEnd && !(await isMoneyAwaited(ctx, now, locked, invoice, until))) {
    await suspendPlanServer(ctx, row.id)
    await tellAbout(ctx, locked, 'suspended', { invoice })
    return store.updateSubscription(ctx.db, now, row.id, {
      ...{ status: moved(row, 'grace_over'), suspendedFor: 'unpaid', suspendedAt: now },
    })
  }
  const passed = (days: number) => now >= daysAfter(since, days)
  if (passed(WARNING_DAYS))
    await once(ctx, now, locked, 'suspension_warning', since, 'suspension_warning', {
      invoice,
      until,
    })
  const reminder = OVERDUE_REMINDERS.findLast(passed)
  if (reminder !== undefined && (await isFirst(ctx, now, locked, `overdue_${reminder}`, since)))
    if (!invoice || !(await chargeAgain(ctx, now, invoice)))
      // If it is charged again, the customer hears only of a failure.
      await tellAbout(ctx, locked, 'payment_reminder', { invoice, until })
  return row
}

const FIRST_WARNING_DAYS = 14
const LAST_WARNING_DAYS = 20
/** The least time between the first warning and the end, and between the last warning and the end. */
const LEAST_DAYS = { first: 7, last: 1 } as const

async function stepOfSuspended(
  ctx: Ctx,
  now: Date,
  locked: TaxedStep,
  settings: BillingSettings,
): Promise<store.SubscriptionRow> {
  const { row } = locked
  const invoices = await invoicesOf(ctx.db, row.id)
  const invoice = invoices.find(({ status }) => status === 'open')
  if (!invoice && !isBilled(row, invoices)) {
    const asked = await askForReturn(ctx, now, locked)
    if (asked || !(await placeAsked(ctx, row))) return asked ?? row
  }
  if (isHeld(row, now)) return row
  // An invoice issued after the suspension was never charged automatically.
  const isLate = invoice && row.suspendedAt !== null && invoice.issuedAt >= row.suspendedAt
  if (isLate && now >= invoice.dueAt) await chargeOnce(ctx, now, invoice)
  const since = row.pastDueSince ?? row.suspendedAt ?? now
  const done = await store.stepsOf(ctx.db, row.id, since)
  const first = done.get('deletion_warning_1')
  const last = done.get('deletion_warning_2')
  const warn = (step: string, until: Date) =>
    once(ctx, now, locked, step, since, 'deletion_warning', { invoice, until })
  const end = daysAfter(since, settings.terminateDays)
  if (!first) {
    const until = later(end, daysAfter(now, LEAST_DAYS.first))
    if (now >= daysAfter(end, FIRST_WARNING_DAYS - 21)) await warn('deletion_warning_1', until)
    return row
  }
  if (!last) {
    const from = later(daysAfter(end, LAST_WARNING_DAYS - 21), daysAfter(first, 6))
    if (now >= from) await warn('deletion_warning_2', later(end, daysAfter(now, LEAST_DAYS.last)))
    return row
  }
  const warned =
    now >= daysAfter(first, LEAST_DAYS.first) && now >= daysAfter(last, LEAST_DAYS.last)
  if (!warned || now < end || (await isMoneyAwaited(ctx, now, locked, invoice, end))) return row
  return endSubscription(ctx, now, locked, 'terminated')
}

/** Whether the period after the paid one has its invoice. */
function isBilled(row: store.SubscriptionRow, invoices: readonly InvoiceRow[]): boolean {
  const boundary = boundaryOf(row)
  return boundary !== null && invoiceFrom(invoices, boundary) !== undefined
}

/**
 * A subscription that was suspended without an invoice, here or in the panel that it was imported
 * from, is restored like any other: by paying an invoice.
 */
async function askForReturn(
  ctx: Ctx,
  now: Date,
  locked: TaxedStep,
): Promise<store.SubscriptionRow | undefined> {
  const { user, row } = locked
  const price = await nextPrice(ctx, row)
  const invoice =
    price && (await issuedWithTax(locked, () => issueRenewal(ctx, now, locked, price)))
  if (!invoice) return undefined
  if (invoice.status === 'paid') await invoicePaid(ctx, now, user, row, invoice)
  // It ends only if this invoice stays unpaid for as long as any other invoice may.
  else if (row.pastDueSince !== null)
    await store.updateSubscription(ctx.db, now, row.id, { pastDueSince: invoice.dueAt })
  return (await store.findSubscription(ctx.db, row.id)) ?? row
}

const later = (one: Date, other: Date): Date => (one > other ? one : other)

const isHeld = ({ holdUntil }: store.SubscriptionRow, now: Date): boolean =>
  holdUntil !== null && holdUntil > now
