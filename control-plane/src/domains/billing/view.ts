import type { Billing, ManagedSubscription, Subscription } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../context.ts'
import { emailsOf } from '../customers/index.ts'
import { findPrices, planHeads, showPrice } from '../plans/index.ts'
import { serversOfSubscriptions } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { addressOf } from './address-store.ts'
import { chargedAmong } from './charges/charge.ts'
import { chargedOf } from './charges/charge-again.ts'
import { customersOf } from './charges/customer-store.ts'
import * as invoices from './invoice-store.ts'
import { withActions } from './own-actions.ts'
import { savedPayments } from './providers/saved-methods.ts'
import { isRefundOffered } from './refunds/undelivered.ts'
import { paidUntil } from './renewal.ts'
import { payByOf } from './schedule.ts'
import { billingSettings } from './settings.ts'
import { showInvoices } from './show-invoices.ts'
import * as store from './subscription-store.ts'
import { waitsForAddress } from './tax/wait-store.ts'
import { waitsForMethod } from './trials.ts'
import { waysToPay } from './ways-to-pay.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

/** Subscriptions for the API. */
export async function describeSubscriptions(
  ctx: Ctx,
  rows: readonly store.SubscriptionRow[],
): Promise<Omit<Subscription, 'actions'>[]> {
  const ids = rows.flatMap(({ priceId, pendingPriceId }) => [priceId, pendingPriceId])
  const prices = await findPrices(
    ctx.db,
    ids.filter((id) => id !== null),
  )
  const planIds = [...rows, ...prices.values()].map(({ planId }) => planId)
  const plans = await planHeads(ctx.db, [...new Set(planIds)])
  const subscriptionIds = rows.map(({ id }) => id)
  const orders = await store.ordersOf(ctx.db, subscriptionIds)
  const servers = await serversOfSubscriptions(ctx.db, subscriptionIds)
  const settings = await readSettings(ctx.db, billingSettings)
  return Promise.all(
    rows.map(async (row) => {
      const price = prices.get(row.priceId ?? '')
      const pending = prices.get(row.pendingPriceId ?? '')
      const order = orders.get(row.id)
      const goesOn = row.cancelAtPeriodEnd && row.endedAt === null
      return {
        ...{ id: row.id, planId: row.planId, status: row.status },
        ...{ suspendedFor: row.suspendedFor, suspensionReason: row.suspensionReason },
        planName: plans.get(row.planId)?.name ?? '',
        kind: plans.get(row.planId)?.kind ?? ('account' as const),
        price: price ? showPrice(price) : null,
        periodStart: iso(row.periodStart),
        periodEnd: iso(goesOn ? await paidUntil(ctx, row) : row.periodEnd),
        trialEndsAt: iso(row.trialEndsAt),
        cancelAtPeriodEnd: row.cancelAtPeriodEnd,
        pendingChange: pending
          ? {
              planName: plans.get(pending.planId)?.name ?? '',
              effectiveAt: iso(row.pendingAt),
              invoiceId: row.pendingInvoiceId,
            }
          : null,
        pastDueSince: iso(row.pastDueSince),
        payBy: iso(payByOf(row, settings)),
        holdUntil: iso(row.holdUntil),
        expiresAt: iso(row.expiresAt),
        methodNeeded: await waitsForMethod(ctx, row),
        endedAt: iso(row.endedAt),
        createdAt: row.createdAt.toISOString(),
        server: order
          ? {
              id: servers.get(row.id) ?? null,
              ...{ name: order.name, state: order.state },
              refundOffered: await isRefundOffered(ctx, row, order),
            }
          : null,
      }
    }),
  )
}

/** Everything about the caller's own money. */
export async function showBilling(ctx: Ctx, userId: string): Promise<Billing> {
  const rows = await store.subscriptionsOf(ctx.db, userId)
  const found = await invoices.newestInvoices(ctx.db, userId)
  const described = await describeSubscriptions(ctx, rows)
  const { instructions, tax } = await readSettings(ctx.db, billingSettings)
  const { address, ...taxPlace } = await addressOf(ctx.db, userId)
  const balances = await invoices.balancesOf(ctx.db, userId)
  const ways = await waysToPay(ctx)
  const known = await customersOf(ctx.db, userId)
  const open = found.filter(({ status }) => status === 'open')
  const ids = open.map(({ id }) => id)
  const charged = await chargedOf(ctx, ctx.now, ids, chargedAmong(known, ways))
  return {
    subscriptions: withActions(described, open, charged, ways, known),
    invoices: await showInvoices(ctx, found, { charges: charged.charges }),
    balances: [...balances]
      .filter(([, amount]) => amount !== 0)
      .map(([currency, amount]) => ({ currency, amount })),
    instructions,
    ...{ address, taxPlace },
    taxByPlace: tax !== null && 'provider' in tax,
    taxPlaceMissing: await waitsForAddress(ctx.db, userId),
    waysToPay: ways,
    savedPayments: savedPayments(known, ways),
  }
}

/** Subscriptions for the host, with their customers. */
export async function describeForHost(
  ctx: Ctx,
  rows: readonly store.SubscriptionRow[],
): Promise<ManagedSubscription[]> {
  const described = await describeSubscriptions(ctx, rows)
  const emails = await emailsOf(
    ctx.db,
    rows.flatMap(({ userId }) => userId ?? []),
  )
  return described.map((one, at) => {
    const userId = rows[at]?.userId ?? null
    return { ...one, userId, email: emails.get(userId ?? '') ?? '' }
  })
}
