import type {
  BillingSettings,
  ChangeBlock,
  ChangeMode,
  ChangePlan,
  ChangePreview,
  InvoiceLine,
} from '@lodge/shared/billing/billing.ts'
import { periodEnd } from '@lodge/shared/billing/cycles.ts'
import { prorateChange } from '@lodge/shared/billing/proration.ts'
import type { Ctx } from '../../context.ts'
import { withPreliminaries } from '../../preliminary.ts'
import { Problem } from '../../problem.ts'
import { findUser } from '../customers/index.ts'
import {
  currentPrices,
  findPlan,
  findPrices,
  heldUnits,
  lockPlan,
  type PlanRow,
  type PriceRow,
} from '../plans/index.ts'
import { readSettings } from '../settings/index.ts'
import { applyChange } from './apply-change.ts'
import { boundaryOf, freeFromOf } from './boundary.ts'
import { effectsOf, lacksDisk } from './change-effects.ts'
import { isBeingPaid } from './charges/charge.ts'
import { hasRoomToGrow, NO_ROOM, reserveGrowth } from './growth.ts'
import { costOf, settled, sumOf, worded } from './invoice-lines.ts'
import { balancesOf, invoicesOf } from './invoice-store.ts'
import { issueInvoice } from './invoices.ts'
import { type Locked, moved, withSubscription } from './moves.ts'
import { localeForInvoice, paperReader } from './paper-reader.ts'
import { noteCredit, type PaidForPeriod, paidForPeriod, unrefunded } from './period-invoices.ts'
import { backOfRenewals, daysAfter, invoiceFrom, priceLines, voidRenewals } from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'
import { taxed } from './tax/tax.ts'

const QUOTE_MS = 10 * 60_000
/** How many days the invoice of a change may stay unpaid. */
const PAY_DAYS = 7

/** What somebody wants to change to; the host chooses when, and may give plans that nobody can buy. */
export type Wanted = Pick<ChangePlan, 'planId' | 'cycle' | 'quoteId'> & {
  readonly byHost?: { readonly mode?: ChangeMode | undefined }
}

interface Quote {
  readonly at: Date
  readonly order: store.OrderRow | undefined
  readonly present: PlanRow | undefined
  readonly plan: PlanRow | undefined
  readonly from: PriceRow | undefined
  readonly to: PriceRow | undefined
  readonly blocked: readonly ChangeBlock[]
  readonly mode: ChangePreview['mode']
  readonly lines: readonly InvoiceLine[]
}

/** The wanted price and plan, and everything that blocks the change. */
async function quoteOf(
  ctx: Ctx,
  at: Date,
  row: store.SubscriptionRow,
  wanted: Wanted,
): Promise<Quote> {
  const plan = await findPlan(ctx.db, wanted.planId)
  const present = await findPlan(ctx.db, row.planId)
  const from = (await findPrices(ctx.db, row.priceId ? [row.priceId] : [])).get(row.priceId ?? '')
  const offered = (await currentPrices(ctx.db, plan ? [plan.id] : [])).filter(
    ({ cycle }) => cycle === wanted.cycle,
  )
  const to = offered.find(({ currency }) => currency === from?.currency)
  const order = (await store.ordersOf(ctx.db, [row.id])).get(row.id)
  const boundary = boundaryOf(row)
  const isOffered = wanted.byHost !== undefined || plan?.visibility !== 'hidden'
  const sold = plan?.active && plan.archivedAt === null && isOffered
  const units = async (userId?: string) =>
    (await heldUnits(ctx.db, [wanted.planId], userId)).get(wanted.planId) ?? 0
  const other = plan && plan.id !== row.planId
  const issued = await invoicesOf(ctx.db, row.id)
  const next = boundary && invoiceFrom(issued, boundary)
  const paidAhead = next?.status === 'paid' || (next && (await isBeingPaid(ctx, at, next)))
  const paid = row.status === 'active' || row.status === 'trialing'
  const period = await paidForPeriod(ctx, row, issued)
  const isRefunded = period !== undefined && period.left === 0 && period.paid > 0
  const reasons: readonly (readonly [ChangeBlock, boolean | null | undefined])[] = [
    ['past_due', !paid || (boundary !== null && boundary <= at)],
    ['next_period_paid', boundary !== null && paidAhead],
    // While a server has not been resized yet, its growth is still reserved.
    ['pending_change', row.pendingPriceId !== null || (order?.growth ?? null) !== null],
    ['not_purchasable', !sold || offered.length === 0],
    ['currency', offered.length > 0 && !to],
    ['kind', plan && plan.kind !== present?.kind],
    ['same_plan', to !== undefined && to.id === from?.id],
    ['out_of_stock', other && plan.stock !== null && (await units()) >= plan.stock],
    [
      'per_customer_max',
      other && plan.perCustomerMax !== null && (await units(row.userId)) >= plan.perCustomerMax,
    ],
    ['workload', order && plan?.preset && !plan.preset.vm !== !order.preset.vm],
    ['disk_shrink', order && plan?.preset && (await lacksDisk(ctx, row.id, order, plan.preset))],
    [
      'template_not_in_plan',
      order && plan?.preset && !plan.preset.templateIds.includes(order.templateId),
    ],
    [
      'no_capacity',
      other && order && plan.preset && !(await hasRoomToGrow(ctx, row.id, order, plan.preset)),
    ],
  ]
  const blocked = reasons.flatMap(([block, is]) => (is ? [block] : []))
  const usual = row.status === 'trialing' || from?.cycle !== to?.cycle || grows(from, to)
  // What is left of a period that is free, if only in part, was not paid, so a change waits for its end.
  const mode =
    row.status === 'active' && (isRefunded || freeFromOf(row))
      ? 'at_period_end'
      : (wanted.byHost?.mode ?? (usual ? 'immediate' : 'at_period_end'))
  const isPossible = blocked.length === 0 && mode === 'immediate'
  const lines = isPossible ? linesOf(at, row, plan, from, to, period) : []
  return { at, order, present, plan, from, to, blocked, mode, lines }
}

/** The cycle is the same, so comparing the amounts is enough. */
const grows = (from?: PriceRow, to?: PriceRow): boolean =>
  from !== undefined && to !== undefined && to.amount >= from.amount

/** The invoice lines: a credit for what was paid of the rest of the period, and the new price for that rest. */
function linesOf(
  at: Date,
  row: store.SubscriptionRow,
  plan: PlanRow | undefined,
  from: PriceRow | undefined,
  to: PriceRow | undefined,
  paid: PaidForPeriod | undefined,
): InvoiceLine[] {
  const { periodStart: startsAt, periodEnd: endsAt } = row
  if (row.status === 'trialing' || !plan || !from || !to || !startsAt || !endsAt) return []
  const period = { startsAt, endsAt }
  // The clock of another control plane, which began the period, may be ahead.
  const since = at < startsAt ? startsAt : at
  const amounts = { from: from.amount, to: to.amount }
  const { credit, charge } = prorateChange({ ...amounts, period, at: since })
  const anew = from.cycle !== to.cycle
  const until = anew ? periodEnd(at, to.cycle, 1) : endsAt
  const span = (end: Date) => ({ periodStart: at.toISOString(), periodEnd: end.toISOString() })
  return [
    {
      ...{ kind: 'proration_credit', description: '', amount: -unrefunded(credit, paid) },
      ...span(endsAt),
    },
    {
      kind: anew ? 'subscription' : 'proration_charge',
      description: plan.name,
      amount: anew ? to.amount : charge,
      ...span(until),
    },
  ]
}

const quoteId = (at: Date, { to, mode }: Quote, sum: number): string =>
  [at.getTime().toString(36), to?.id ?? '', sum, mode].join('.')

/** What a change of plan costs and when it happens, without doing it. */
export const previewChange = (
  ctx: Ctx,
  now: Date,
  row: store.SubscriptionRow,
  wanted: Wanted,
): Promise<ChangePreview> => withPreliminaries(ctx, () => preview(ctx, now, row, wanted))

async function preview(
  ctx: Ctx,
  now: Date,
  row: store.SubscriptionRow,
  wanted: Wanted,
): Promise<ChangePreview> {
  const quote = await quoteOf(ctx, now, row, wanted)
  const { order, present, plan, from, to } = quote
  const { tax } = await readSettings(ctx.db, billingSettings)
  const currency = quote.to?.currency ?? quote.from?.currency ?? 'EUR'
  const inHand = (await balancesOf(ctx.db, row.userId)).get(currency) ?? 0
  // The change voids the open renewal before it is settled.
  const balance = inHand + (await backOfRenewals(ctx, row))
  const about = { tax, userId: row.userId, subscriptionId: row.id, currency }
  const withTax = await taxed(ctx, now, { ...about, lines: quote.lines })
  const { lines, total } = settled(withTax, balance)
  const user = await findUser(ctx.db, row.userId)
  const reader = paperReader(user ? await localeForInvoice(ctx, user) : null)
  const boundary = boundaryOf(row)
  // A trial's first invoice has the setup fee.
  const next = to ? priceLines(plan?.name ?? '', to, undefined, row.anchor === null) : []
  // A blocked change need not ask a plugin for its tax.
  const asks = tax !== null && 'provider' in tax && quote.blocked.length > 0
  const immediate = quote.mode === 'immediate'
  const anew = immediate && to && from?.cycle !== to.cycle && row.status === 'active'
  const nextAt = anew ? periodEnd(now, to.cycle, 1) : boundary
  const isPossible = present && plan && from && to && quote.blocked.length === 0
  const change = isPossible && { at: now, row, order, present, plan, from, to, immediate }
  return {
    quoteId: quoteId(now, quote, sumOf(withTax)),
    expiresAt: new Date(now.getTime() + QUOTE_MS).toISOString(),
    ...{
      mode: quote.mode,
      lines: worded(lines, reader),
      dueNow: total,
      currency,
      blocked: [...quote.blocked],
    },
    credit: 0 - sumOf(quote.lines.filter(({ amount }) => amount < 0)),
    charge: sumOf(quote.lines.filter(({ amount }) => amount > 0)),
    effects: change ? await effectsOf(ctx, change) : [],
    effectiveAt: (immediate ? now : (boundary ?? now)).toISOString(),
    nextAmount: sumOf(asks ? next : await taxed(ctx, now, { ...about, lines: next })),
    nextAt: nextAt?.toISOString() ?? null,
  }
}

interface Shown {
  readonly at: Date
  readonly priceId?: string
  /** Total with tax, before the balance is used. */
  readonly sum?: number
  readonly mode?: string
}

/** The quote that a preview showed, so that the change costs exactly that. */
function shownBy(now: Date, given: string | undefined): Shown {
  if (given === undefined) return { at: now }
  const [time = '', priceId = '', sum = '', mode = ''] = given.split('.')
  const at = new Date(Number.parseInt(time, 36))
  const age = now.getTime() - at.getTime()
  if (!(age >= 0 && age <= QUOTE_MS)) throw quoteExpired()
  return { at, priceId, sum: Number(sum), mode }
}

const quoteExpired = () =>
  new Problem('quote_expired', 'The price may have changed since: look at the change once more')

/**
 * Changes a subscription to another plan or cycle: upgrades once their invoice is paid, downgrades at
 * the end of the period. Reserves the new plan's stock, and the capacity by which a server grows,
 * immediately.
 */
export async function changePlan(
  ctx: Ctx,
  now: Date,
  subscription: store.SubscriptionRow,
  wanted: Wanted,
): Promise<void> {
  await withSubscription(ctx, subscription, async (ctx, locked) => {
    moved(locked.row, 'changed')
    await lockPlan(ctx.db, wanted.planId)
    const { at, priceId, sum, mode } = shownBy(now, wanted.quoteId)
    const quote = await quoteOf(ctx, at, locked.row, wanted)
    const { to, blocked } = quote
    if (blocked.length > 0 || !to)
      throw new Problem('change_blocked', BLOCKED[blocked[0] ?? 'not_purchasable'], {
        fields: { blocked: [...blocked] },
      })
    const boundary = boundaryOf(locked.row)
    // The period may have ended since the price was shown.
    const isOver = boundary !== null && boundary <= now
    if (isOver || (priceId !== undefined && priceId !== to.id)) throw quoteExpired()
    if (mode !== undefined && mode !== quote.mode) throw quoteExpired()
    if (quote.plan?.preset && quote.plan.id !== locked.row.planId)
      await reserveGrowth(ctx, locked.row.id, quote.plan.preset)
    const settings = await readSettings(ctx.db, billingSettings)
    const row = await begin(ctx, now, settings, locked, quote, to, sum)
    await scheduleNext(ctx, now, row, settings)
  })
}

async function begin(
  ctx: Ctx,
  now: Date,
  settings: BillingSettings,
  { user, row }: Locked,
  { mode, plan, lines }: Quote,
  to: PriceRow,
  sum: number | undefined,
): Promise<store.SubscriptionRow> {
  // The next period has another price then; it is asked for anew once the change is paid or dropped.
  await voidRenewals(ctx, now, row)
  if (mode === 'at_period_end') {
    const pending = { pendingPriceId: to.id, pendingAt: boundaryOf(row), pendingInvoiceId: null }
    return store.updateSubscription(ctx.db, now, row.id, pending)
  }
  const apply = async () =>
    store.updateSubscription(ctx.db, now, row.id, (await applyChange(ctx, now, row, to)) ?? {})
  if (row.status === 'trialing') return apply()
  const invoice = await issueInvoice(ctx, now, user, {
    ...{ subscription: row, planName: plan?.name ?? '', kind: 'change', currency: to.currency },
    ...{ settings, lines, dueAt: daysAfter(now, PAY_DAYS) },
  })
  if (sum !== undefined && sum !== costOf(invoice.lines)) throw quoteExpired()
  if (invoice.status === 'paid') {
    await noteCredit(ctx, row, invoice)
    return apply()
  }
  return store.updateSubscription(ctx.db, now, row.id, {
    ...{ pendingPriceId: to.id, pendingAt: null, pendingInvoiceId: invoice.id },
  })
}

const BLOCKED: Record<ChangeBlock, string> = {
  same_plan: 'This is the present plan: choose another',
  not_purchasable: 'This plan is not for sale: choose another',
  out_of_stock: 'This plan is sold out: choose another, or wait until one is free',
  per_customer_max: 'You have as many of this plan as one customer may have',
  disk_shrink:
    'The disk of this plan is too small: a container’s files must fit on it, and a machine’s disk can’t shrink',
  no_capacity: NO_ROOM,
  template_not_in_plan: 'The plan does not offer the template of your server: choose another',
  next_period_paid: 'The next period is paid already, or is being paid: change once it has begun',
  past_due: 'Pay the open invoices first',
  pending_change: 'Another change is pending: pay its invoice, or wait for it',
  currency: 'The plan is not sold in the currency of your subscription',
  kind: 'A server plan can’t become an account plan, or the other way round',
  workload:
    'A container can’t become a virtual machine, or the other way round: buy the plan instead',
}
