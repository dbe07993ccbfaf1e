import type { BillingSettings, InvoiceLine } from '@lodge/shared/billing/billing.ts'
import { type Cycle, type Period, periodAt } from '@lodge/shared/billing/cycles.ts'
import { costBetween, restOf } from '@lodge/shared/billing/proration.ts'
import type { Ctx } from '../../context.ts'
import { findUser } from '../customers/index.ts'
import { findPlan, findPrices, type PriceRow, planNames } from '../plans/index.ts'
import { readSettings } from '../settings/index.ts'
import { boundaryOf } from './boundary.ts'
import { costOf } from './invoice-lines.ts'
import { type InvoiceRow, invoicesOf, refundedTotal } from './invoice-store.ts'
import { backOf, issueInvoice, voidInvoice } from './invoices.ts'
import type { Locked } from './moves.ts'
import { tell } from './news.ts'
import { resizeOrder } from './orders.ts'
import { billingSettings } from './settings.ts'
import type * as store from './subscription-store.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400_000
const LONG: readonly Cycle[] = ['yearly', 'biennial', 'triennial']
const LONG_DAYS_AHEAD = 30
const WEEKLY_DAYS_AHEAD = 3
/** How many days an invoice that is issued late may stay unpaid. */
const LATE_DAYS = 3

/** Marks a period that is free because the host voided its invoice. */
export const GIFT = 'gift'

export const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)

/** The price from the next period on. */
export async function nextPrice(
  ctx: Ctx,
  row: store.SubscriptionRow,
): Promise<PriceRow | undefined> {
  const id = row.pendingAt !== null ? (row.pendingPriceId ?? row.priceId) : row.priceId
  return id === null ? undefined : (await findPrices(ctx.db, [id])).get(id)
}

/** From when the periods after the present one are counted: another cycle is counted from its start. */
export function nextAnchor(row: store.SubscriptionRow, cycle: Cycle): Date | null {
  const startsAt = boundaryOf(row)
  if (startsAt === null || row.status === 'trialing' || row.anchor === null) return startsAt
  const counted = periodAt(row.anchor, cycle, startsAt)
  const isAnew = row.pendingAt !== null && counted.startsAt.getTime() !== startsAt.getTime()
  return isAnew ? startsAt : row.anchor
}

/** The period that follows the current one. */
export function nextPeriod(row: store.SubscriptionRow, cycle: Cycle): Period | undefined {
  const [startsAt, anchor] = [boundaryOf(row), nextAnchor(row, cycle)]
  return startsAt && anchor
    ? { startsAt, endsAt: periodAt(anchor, cycle, startsAt).endsAt }
    : undefined
}

/** When the invoice of the next period is issued. */
export function issueAt(row: store.SubscriptionRow, cycle: Cycle, settings: BillingSettings) {
  const boundary = boundaryOf(row)
  const days = LONG.includes(cycle)
    ? Math.max(LONG_DAYS_AHEAD, settings.invoiceDaysAhead)
    : cycle === 'weekly'
      ? Math.min(WEEKLY_DAYS_AHEAD, settings.invoiceDaysAhead)
      : settings.invoiceDaysAhead
  return boundary && daysAfter(boundary, -days)
}

/** The invoice of a period, if it was issued. */
export const invoiceFrom = (
  invoices: readonly InvoiceRow[],
  startsAt: Date,
): InvoiceRow | undefined =>
  invoices.find(
    ({ kind, periodStart }) => kind === 'renewal' && periodStart?.getTime() === startsAt.getTime(),
  )

/**
 * When all ends that was paid: the end of the next period if that is paid already and was not refunded. A
 * free one counts as not paid.
 */
export async function paidUntil(ctx: Ctx, row: store.SubscriptionRow): Promise<Date | null> {
  const boundary = boundaryOf(row)
  const next = boundary && invoiceFrom(await invoicesOf(ctx.db, row.id), boundary)
  const isPaid =
    next?.status === 'paid' && costOf(next.lines) > (await refundedTotal(ctx.db, next.id))
  return (isPaid ? next.periodEnd : null) ?? boundary
}

/**
 * Whether the next period is paid, so that a change of plan that takes effect with it stays: it is delivered
 * as what it was paid for.
 * @param until when all ends that was paid
 */
export const isNextPeriodPaid = (row: store.SubscriptionRow, until: Date | null): boolean =>
  row.pendingInvoiceId === null && until?.getTime() !== boundaryOf(row)?.getTime()

export const priceLines = (
  planName: string,
  price: PriceRow,
  period: Period | undefined,
  withSetup: boolean,
): InvoiceLine[] => {
  const lines: InvoiceLine[] = [
    {
      ...{ kind: 'subscription', description: planName, amount: price.amount },
      periodStart: period?.startsAt.toISOString() ?? null,
      periodEnd: period?.endsAt.toISOString() ?? null,
    },
  ]
  if (withSetup && price.setupFee > 0)
    lines.push({
      ...{ kind: 'setup', description: '', amount: price.setupFee },
      ...{ periodStart: null, periodEnd: null },
    })
  return lines
}

/**
 * The lines of the next period: both prices, each for its time, if a change of plan took effect when the
 * period had begun.
 */
async function linesOf(
  ctx: Ctx,
  { anchor, formerPriceId, formerUntil }: store.SubscriptionRow,
  price: PriceRow,
  planName: string,
  period: Period,
): Promise<InvoiceLine[]> {
  const { startsAt, endsAt } = period
  const former =
    formerPriceId !== null && formerUntil !== null && anchor !== null && formerUntil > startsAt
      ? (await findPrices(ctx.db, [formerPriceId])).get(formerPriceId)
      : undefined
  if (!former || !formerUntil || !anchor)
    return priceLines(planName, price, period, anchor === null)
  const until = formerUntil < endsAt ? formerUntil : endsAt
  const names = await planNames(ctx.db, [former.planId])
  const parts: readonly [string, number, Period][] = [
    [
      names.get(former.planId) ?? '',
      costBetween(former, anchor, { startsAt, endsAt: until }),
      { startsAt, endsAt: until },
    ],
    [planName, restOf(price.amount, period, until), { startsAt: until, endsAt }],
  ]
  return parts.flatMap(([name, amount, part]) =>
    // Less than a second costs nothing.
    part.endsAt.getTime() - part.startsAt.getTime() >= SECOND_MS
      ? priceLines(name, { ...price, amount }, part, false)
      : [],
  )
}

/** Issues the invoice of the next period; a trial's also has the setup fee. */
export async function issueRenewal(
  ctx: Ctx,
  now: Date,
  { user, row }: Locked,
  price: PriceRow,
): Promise<InvoiceRow | undefined> {
  const period = nextPeriod(row, price.cycle)
  if (!period) return undefined
  const plan = (await planNames(ctx.db, [price.planId])).get(price.planId) ?? ''
  const inTime = now <= daysAfter(period.startsAt, -1)
  const settings = await readSettings(ctx.db, billingSettings)
  return issueInvoice(ctx, now, user, {
    ...{
      settings,
      subscription: row,
      planName: plan,
      kind: 'renewal',
      currency: price.currency,
      period,
    },
    lines: await linesOf(ctx, row, price, plan, period),
    dueAt: inTime ? period.startsAt : daysAfter(now, LATE_DAYS),
  })
}

/**
 * Voids the open invoices of future periods, so that they are issued anew with another price or
 * period.
 */
export async function voidRenewals(ctx: Ctx, now: Date, row: store.SubscriptionRow): Promise<void> {
  for (const invoice of await openRenewals(ctx, row)) await voidInvoice(ctx, now, invoice)
}

const openRenewals = async (ctx: Ctx, { id }: store.SubscriptionRow): Promise<InvoiceRow[]> =>
  (await invoicesOf(ctx.db, id)).filter(
    ({ kind, status }) => kind === 'renewal' && status === 'open',
  )

/** What the balance gets back when the open invoices of future periods are voided. */
export const backOfRenewals = async (ctx: Ctx, row: store.SubscriptionRow): Promise<number> =>
  (await openRenewals(ctx, row)).reduce((sum, invoice) => sum + backOf(invoice), 0)

async function tellChanged(ctx: Ctx, row: store.SubscriptionRow, price: PriceRow): Promise<void> {
  const user = await findUser(ctx.db, row.userId)
  const plan = (await planNames(ctx.db, [price.planId])).get(price.planId)
  if (user) await tell(ctx, user, 'changed', { plan: plan ?? '', subscriptionId: row.id })
}

/** Changes the price of a subscription, and resizes its server to that plan. */
export async function takePrice(
  ctx: Ctx,
  now: Date,
  row: store.SubscriptionRow,
  price: PriceRow,
): Promise<Partial<store.SubscriptionRow>> {
  const plan = price.planId === row.planId ? undefined : await findPlan(ctx.db, price.planId)
  if (plan?.preset) await resizeOrder(ctx, now, row.id, plan.preset)
  if (price.id !== row.priceId) await tellChanged(ctx, row, price)
  return {
    ...{ planId: price.planId, priceId: price.id },
    ...{ pendingPriceId: null, pendingAt: null, pendingInvoiceId: null },
  }
}
