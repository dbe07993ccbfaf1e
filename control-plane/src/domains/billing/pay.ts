import { randomUUIDv7 } from 'node:crypto'
import { type Cycle, periodEnd } from '@lodge/shared/billing/cycles.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { lockOwner, type UserRow } from '../customers/index.ts'
import { findPrices, planNames } from '../plans/index.ts'
import { liftPlanServer } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { applyPaidChange } from './apply-change.ts'
import { isBeingCharged } from './charges/charge.ts'
import * as invoices from './invoice-store.ts'
import { invoicesAskedWith } from './invoice-together-store.ts'
import { changeBalance } from './invoices.ts'
import { moved } from './moves.ts'
import { tell } from './news.ts'
import { fulfilOrder } from './orders.ts'
import { stillIfPaused } from './paused-account.ts'
import { nextAnchor, nextPrice, takePrice } from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'
import { recordPaid } from './tax/record.ts'

export interface Received {
  readonly amount: number
  readonly receivedAt: Date
  readonly reference: string
  readonly provider: string
  /** The provider's reference of the payment; the same payment counts once. */
  readonly externalRef: string | null
}

/**
 * Records a payment for an invoice and applies its consequences. No payment is lost: what the invoice
 * does not need, or no longer needs, goes to the customer's balance.
 */
export async function recordPayment(
  ctx: Ctx,
  now: Date,
  invoiceId: string,
  { amount, ...received }: Received,
): Promise<void> {
  const found = await invoices.findInvoice(ctx.db, invoiceId)
  if (!found) throw notFound('invoice')
  await ctx.transaction(async (ctx) => {
    const user = found.userId === null ? undefined : await lockOwner(ctx.db, found.userId)
    const row =
      found.subscriptionId === null ? undefined : await store.lockRow(ctx.db, found.subscriptionId)
    const invoice = await invoices.findInvoice(ctx.db, invoiceId)
    if (!invoice) throw notFound('invoice')
    const id = randomUUIDv7()
    const isNew = await invoices.insertPayment(ctx.db, {
      ...{ id, invoiceId, amount, recordedAt: now },
      ...received,
    })
    if (!isNew) return
    const open = invoice.status === 'open' ? invoice.total - invoice.amountPaid : 0
    const applied = Math.min(open, amount)
    if (applied > 0) await apply(ctx, now, { user, row, invoice }, applied)
    if (amount === applied || !user) return
    await changeBalance(ctx, now, user.id, invoice, amount - applied)
    // The invoices that were to be paid in one sum with this one.
    const asked = await invoicesAskedWith(ctx.db, invoiceId)
    await payFromBalance(ctx, now, user, asked, { id, amount: amount - applied })
  })
}

interface About {
  readonly user: UserRow | undefined
  readonly row: store.SubscriptionRow | undefined
  readonly invoice: invoices.InvoiceRow
}

/** Applies a recorded payment to an open invoice, and the consequences if that pays it in full. */
async function apply(
  ctx: Ctx,
  now: Date,
  { user, row, invoice }: About,
  amount: number,
): Promise<void> {
  const amountPaid = invoice.amountPaid + amount
  const isPaid = amountPaid === invoice.total
  const paid = await invoices.updateInvoice(ctx.db, invoice.id, {
    amountPaid,
    ...(isPaid && { status: 'paid' as const, paidAt: now }),
  })
  if (isPaid) await recordPaid(ctx, now, paid)
  if (!isPaid || !user) return
  await tell(ctx, user, 'invoice_paid', { invoice: paid })
  if (row) await invoicePaid(ctx, now, user, row, paid)
}

/**
 * Pays these invoices from the customer's balance, in this order, as far as it goes. Invoices that are
 * being charged are skipped. The caller has locked the customer.
 * @param sum a payment of several invoices, and the part of it that is in the balance: it is used first
 */
export async function payFromBalance(
  ctx: Ctx,
  now: Date,
  user: UserRow,
  invoiceIds: readonly string[],
  sum?: { readonly id: string; readonly amount: number },
): Promise<void> {
  let ofSum = sum?.amount ?? 0
  for (const id of invoiceIds) {
    const subscriptionId = (await invoices.findInvoice(ctx.db, id))?.subscriptionId ?? null
    const row = subscriptionId === null ? undefined : await store.lockRow(ctx.db, subscriptionId)
    // The payment of the previous one may have changed it.
    const invoice = await invoices.findInvoice(ctx.db, id)
    if (invoice?.status !== 'open' || invoice.userId !== user.id) continue
    if (await isBeingCharged(ctx, invoice)) continue
    const inHand = (await invoices.balancesOf(ctx.db, user.id)).get(invoice.currency) ?? 0
    const amount = Math.min(inHand, invoice.total - invoice.amountPaid)
    if (amount <= 0) continue
    const part = Math.min(ofSum, amount)
    ofSum -= part
    const parts = [
      { sumId: sum?.id ?? null, amount: part },
      { sumId: null, amount: amount - part },
    ]
    for (const one of parts)
      if (one.amount > 0)
        await invoices.insertPayment(ctx.db, {
          ...{ id: randomUUIDv7(), invoiceId: id, recordedAt: now, receivedAt: now, ...one },
          ...{ reference: '', provider: invoices.FROM_BALANCE, externalRef: null },
        })
    await changeBalance(ctx, now, user.id, invoice, -amount)
    await apply(ctx, now, { user, row, invoice }, amount)
  }
}

/**
 * Applies the consequences of an invoice that is paid, or that the host has voided; the customer and the
 * subscription are locked.
 */
export async function invoicePaid(
  ctx: Ctx,
  now: Date,
  user: UserRow,
  row: store.SubscriptionRow,
  invoice: invoices.InvoiceRow,
): Promise<void> {
  const change = await effectOf(ctx, now, user, row, invoice)
  const next = change
    ? await store.updateSubscription(
        ctx.db,
        now,
        row.id,
        await stillIfPaused(ctx.db, now, row, change),
      )
    : row
  await scheduleNext(ctx, now, next, await readSettings(ctx.db, billingSettings))
}

type Change = Partial<store.SubscriptionRow>

async function effectOf(
  ctx: Ctx,
  now: Date,
  user: UserRow,
  row: store.SubscriptionRow,
  invoice: invoices.InvoiceRow,
): Promise<Change | undefined> {
  if (invoice.kind === 'first')
    return row.status === 'incomplete' ? activate(ctx, now, user, row) : undefined
  if (invoice.kind === 'change')
    return row.pendingInvoiceId === invoice.id
      ? applyPaidChange(ctx, now, user, row, invoice)
      : undefined
  const isOverdue =
    row.status === 'past_due' || (row.status === 'suspended' && row.suspendedFor === 'unpaid')
  if (!isOverdue) return undefined
  const others = await invoices.invoicesOf(ctx.db, row.id)
  if (others.some(({ status, dueAt }) => status === 'open' && dueAt <= now)) return undefined
  const price = row.pendingAt !== null && row.pendingAt <= now ? await nextPrice(ctx, row) : null
  const taken = price ? await takePrice(ctx, now, row, price) : {}
  const begun: Change =
    row.status === 'past_due'
      ? caughtUp(row, invoice, price?.cycle)
      : await returned(ctx, now, { ...row, ...taken })
  const isFree = invoice.status === 'void' && begun.periodStart !== undefined
  return { ...taken, ...begun, ...(isFree && { freeFrom: begun.periodStart }) }
}

/** Begins what was bought: the first period and the server. */
export async function activate(
  ctx: Ctx,
  now: Date,
  user: UserRow,
  row: store.SubscriptionRow,
): Promise<Change> {
  const plan = (await planNames(ctx.db, [row.planId])).get(row.planId) ?? ''
  await fulfilOrder(ctx, now, row.id)
  await tell(ctx, user, 'activated', { plan, subscriptionId: row.id })
  return {
    ...{ status: moved(row, 'first_paid'), expiresAt: null },
    ...(await periodFrom(ctx, now, row)),
  }
}

/**
 * Paid late but within the grace period: the period stays the one that was owed, without free days.
 */
const caughtUp = (
  row: store.SubscriptionRow,
  invoice: invoices.InvoiceRow,
  changedTo: Cycle | undefined,
): Change => ({
  ...{ status: moved(row, 'overdue_paid'), pastDueSince: null },
  ...{ periodStart: invoice.periodStart, periodEnd: invoice.periodEnd },
  anchor: (changedTo ? nextAnchor(row, changedTo) : row.anchor) ?? invoice.periodStart,
})

/** Paid after a suspension: a new period begins now, and the time without service is not billed. */
async function returned(ctx: Ctx, now: Date, row: store.SubscriptionRow): Promise<Change> {
  await liftPlanServer(ctx, row.id)
  return {
    ...{ status: moved(row, 'overdue_paid'), pastDueSince: null },
    ...{ suspendedFor: null, suspendedAt: null },
    ...(await periodFrom(ctx, now, row)),
  }
}

async function periodFrom(ctx: Ctx, now: Date, row: store.SubscriptionRow): Promise<Change> {
  const prices = await findPrices(ctx.db, row.priceId === null ? [] : [row.priceId])
  const cycle: Cycle | undefined = prices.get(row.priceId ?? '')?.cycle
  if (!cycle) return {}
  return { anchor: now, periodStart: now, periodEnd: periodEnd(now, cycle, 1) }
}
