import { randomUUIDv7 } from 'node:crypto'
import type {
  BillingSettings,
  Checkout,
  CheckoutPreview,
  Invoice,
  PreviewCheckout,
  StartCheckout,
} from '@lodge/shared/billing/billing.ts'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { withPreliminaries } from '../../preliminary.ts'
import { notFound, Problem } from '../../problem.ts'
import { findUser, lockOwner, type UserRow } from '../customers/index.ts'
import {
  currentPrices,
  findPlan,
  heldUnits,
  lockPlan,
  type PlanRow,
  type PriceRow,
} from '../plans/index.ts'
import { readSettings } from '../settings/index.ts'
import { endSubscription } from './end.ts'
import { costOf, worded } from './invoice-lines.ts'
import { invoicesOf } from './invoice-store.ts'
import { issueInvoice } from './invoices.ts'
import { withSubscription } from './moves.ts'
import { reserveOrder } from './orders.ts'
import { localeForInvoice, paperReader } from './paper-reader.ts'
import { activate } from './pay.ts'
import { daysAfter, priceLines } from './renewal.ts'
import { earliest, scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import { showInvoice, showInvoices } from './show-invoices.ts'
import * as store from './subscription-store.ts'
import { taxed } from './tax/tax.ts'
import { beginTrial, isOnTrial, METHOD_DAYS, needsMethod } from './trials.ts'

/** What a purchase costs now, with the tax on it, without buying anything. */
export const previewCheckout = (
  ctx: Ctx<User>,
  now: Date,
  given: PreviewCheckout,
): Promise<CheckoutPreview> =>
  withPreliminaries(ctx, async () => {
    const user = await findUser(ctx.db, ctx.actor.id)
    const plan = await findPlan(ctx.db, given.planId)
    if (!user || !plan || plan.visibility === 'hidden') throw notForSale()
    const price = await requirePrice(ctx, plan, given)
    const { currency, trialDays } = price
    const settings = await readSettings(ctx.db, billingSettings)
    if (await isOnTrial(ctx, user.id, price)) {
      const methodNeeded = await needsMethod(ctx, now, settings, user.id)
      return { lines: [], total: 0, currency, trialDays, methodNeeded }
    }
    const { tax } = settings
    const net = priceLines(plan.name, price, undefined, true)
    const lines = await taxed(ctx, now, { tax, userId: user.id, currency, lines: net })
    const reader = paperReader(await localeForInvoice(ctx, user))
    const total = costOf(lines)
    return { lines: worded(lines, reader), total, currency, trialDays: 0, methodNeeded: false }
  })

const notForSale = () => invalid([{ pointer: '/planId', detail: 'is not for sale' }])

/**
 * Buys a plan: reserves its stock, the capacity for its server and the customer's quota, in one
 * transaction that locks customer, plan and node in this order, so that nothing is sold twice.
 */
export async function startCheckout(
  ctx: Ctx<User>,
  now: Date,
  given: StartCheckout,
): Promise<Checkout> {
  return ctx.transaction(async (ctx) => {
    const user = await lockOwner(ctx.db, ctx.actor.id)
    const plan = await lockPlan(ctx.db, given.planId)
    if (!user || !plan || plan.visibility === 'hidden') throw notForSale()
    const price = await requirePrice(ctx, plan, given)
    await requireUnits(ctx, user, plan)
    const settings = await readSettings(ctx.db, billingSettings)
    const isTrial = await isOnTrial(ctx, user.id, price)
    const waits = isTrial && (await needsMethod(ctx, now, settings, user.id))
    const expiresAt = daysAfter(now, waits ? METHOD_DAYS : settings.checkoutDays)
    const row = await store.insertSubscription(ctx.db, {
      ...{ id: randomUUIDv7(), userId: user.id, planId: plan.id, priceId: price.id },
      ...{ status: 'incomplete', createdAt: now, expiresAt, nextAt: earliest(now, [expiresAt]) },
    })
    await reserveServer(ctx, row.id, plan, given.server)
    const begun: Purchase = waits
      ? { row }
      : isTrial
        ? { row: await beginTrial(ctx, now, user, row, price) }
        : await ask(ctx, now, settings, user, row, plan, price, expiresAt)
    const cost = begun.invoice ? costOf(begun.invoice.lines) : 0
    if (given.total !== undefined && given.total !== cost)
      throw new Problem(
        'quote_expired',
        'It costs something else by now: look at the price once more',
      )
    // An incomplete purchase needs nothing done before it is overdue.
    const again = begun.row.status !== 'incomplete'
    await scheduleNext(ctx, now, begun.row, settings, again)
    return describe(begun, settings)
  })
}

/** Keeps a place for the server of a plan that comes with one. */
export async function reserveServer(
  ctx: Ctx,
  subscriptionId: string,
  { preset }: PlanRow,
  server: StartCheckout['server'],
): Promise<void> {
  if (preset) {
    if (!server) throw invalid([{ pointer: '/server', detail: 'is missing' }])
    await reserveOrder(ctx, subscriptionId, preset, server)
  } else if (server) throw invalid([{ pointer: '/server', detail: 'comes with no such plan' }])
}

/** A purchase, with its first invoice if it has one. */
interface Purchase {
  readonly row: store.SubscriptionRow
  readonly invoice?: Invoice | undefined
}

/** The price of a plan that is for sale. */
async function requirePrice(
  ctx: Ctx,
  plan: PlanRow,
  given: Pick<StartCheckout, 'cycle' | 'currency'>,
): Promise<PriceRow> {
  if (!plan.active || plan.archivedAt !== null)
    throw new Problem('not_for_sale', 'This plan is not for sale now: choose another')
  return priceOf(ctx, plan, given)
}

/** The current price of a plan for a cycle; the currency is needed if there are several. */
export async function priceOf(
  ctx: Ctx,
  plan: PlanRow,
  given: Pick<StartCheckout, 'cycle' | 'currency'>,
): Promise<PriceRow> {
  const prices = (await currentPrices(ctx.db, [plan.id])).filter(
    ({ cycle, currency }) =>
      cycle === given.cycle && (given.currency === undefined || currency === given.currency),
  )
  const [price] = prices
  if (!price) throw invalid([{ pointer: '/cycle', detail: 'has no price' }])
  if (prices.length > 1) throw invalid([{ pointer: '/currency', detail: 'is one of several' }])
  return price
}

async function requireUnits(ctx: Ctx, user: UserRow, plan: PlanRow): Promise<void> {
  const own = (await heldUnits(ctx.db, [plan.id], user.id)).get(plan.id) ?? 0
  if (plan.perCustomerMax !== null && own >= plan.perCustomerMax)
    throw new Problem(
      'per_customer_max',
      `You have ${plan.perCustomerMax} of ${plan.name}, as many as one customer may have`,
    )
  await requireStock(ctx, plan)
}

/** @throws {Problem} out_of_stock if no unit of a plan is left, which is locked */
export async function requireStock(ctx: Ctx, plan: PlanRow): Promise<void> {
  const held = (await heldUnits(ctx.db, [plan.id])).get(plan.id) ?? 0
  if (plan.stock !== null && held >= plan.stock)
    throw new Problem('out_of_stock', `${plan.name} is sold out: choose another plan`)
}

/** Issues the first invoice; if nothing is left to pay, the subscription begins immediately. */
export async function ask(
  ctx: Ctx,
  now: Date,
  settings: BillingSettings,
  user: UserRow,
  row: store.SubscriptionRow,
  plan: PlanRow,
  price: PriceRow,
  dueAt: Date,
): Promise<Purchase> {
  const invoice = await issueInvoice(ctx, now, user, {
    ...{
      settings,
      subscription: row,
      planName: plan.name,
      kind: 'first',
      currency: price.currency,
      dueAt,
    },
    lines: priceLines(plan.name, price, undefined, true),
  })
  const shown = showInvoice(invoice)
  if (invoice.status !== 'paid') return { row, invoice: shown }
  const change = await activate(ctx, now, user, row)
  return { row: await store.updateSubscription(ctx.db, now, row.id, change), invoice: shown }
}

const STATUS = {
  incomplete: 'open',
  expired: 'expired',
  canceled: 'canceled',
} as const satisfies Partial<Record<store.SubscriptionRow['status'], Checkout['status']>>

/** The state of a purchase. */
export async function showCheckout(ctx: Ctx, row: store.SubscriptionRow): Promise<Checkout> {
  const settings = await readSettings(ctx.db, billingSettings)
  const first = (await invoicesOf(ctx.db, row.id)).filter(({ kind }) => kind === 'first')
  const [invoice] = await showInvoices(ctx, first)
  return describe({ row, invoice }, settings)
}

const describe = ({ row, invoice }: Purchase, { instructions }: BillingSettings): Checkout => ({
  id: row.id,
  status: STATUS[row.status as keyof typeof STATUS] ?? 'completed',
  expiresAt: row.expiresAt?.toISOString() ?? null,
  invoice: invoice ?? null,
  methodNeeded: row.status === 'incomplete' && invoice === undefined,
  instructions,
})

/** Gives up an unpaid purchase and frees what it reserved. */
export async function cancelCheckout(
  ctx: Ctx,
  now: Date,
  subscription: store.SubscriptionRow,
): Promise<void> {
  await withSubscription(ctx, subscription, (ctx, locked) => {
    if (locked.row.status !== 'incomplete') throw notFound('checkout')
    return endSubscription(ctx, now, locked, 'checkout_over')
  })
}
