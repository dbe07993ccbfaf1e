import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { planNames } from '../plans/index.ts'
import { liftPlanServer, suspendPlanServer } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { isBillingPaused } from '../suspensions/index.ts'
import { boundaryOf } from './boundary.ts'
import { delayNextPeriod } from './delay-next.ts'
import { dropPending } from './growth.ts'
import { invoicesOf } from './invoice-store.ts'
import { voidInvoice } from './invoices.ts'
import { moved, withSubscription } from './moves.ts'
import { tell } from './news.ts'
import { isNextPeriodPaid, paidUntil, voidRenewals } from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'

const PAUSABLE: readonly string[] = ['trialing', 'active', 'past_due']

/** Pauses the subscriptions of a suspended customer: nothing is billed meanwhile. */
export async function pauseSubscriptionsOf(ctx: Ctx, userId: string): Promise<void> {
  for (const one of await store.subscriptionsOf(ctx.db, userId))
    if (one.priceId !== null && PAUSABLE.includes(one.status))
      await withSubscription(ctx, one, (ctx, { row }) =>
        standStill(ctx, row, { suspendedFor: 'account' }),
      )
}

/** Lets the time go on; what was paid ends later by as much as it stood still. */
export async function unpauseSubscriptionsOf(ctx: Ctx, userId: string): Promise<void> {
  for (const one of await store.subscriptionsOf(ctx.db, userId))
    if (one.suspendedFor === 'account')
      await withSubscription(ctx, one, (ctx, { row }) => goOn(ctx, row))
}

/** Suspends a subscription for the host, and tells its customer why; its time stands still. */
export const suspendByHost = (
  ctx: Ctx,
  subscription: store.SubscriptionRow,
  reason: string,
): Promise<void> =>
  withSubscription(ctx, subscription, async (ctx, { user, row }) => {
    await standStill(ctx, row, { suspendedFor: 'admin', suspensionReason: reason })
    await suspendPlanServer(ctx, row.id)
    await tell(ctx, user, 'host_suspended', { ...(await planOf(ctx, row)), reason })
  })

/**
 * Lifts what the host suspended, and nothing else: what its account or its server is suspended for stays.
 * @throws {Problem} if the host did not suspend it
 */
export const liftByHost = (ctx: Ctx, subscription: store.SubscriptionRow): Promise<void> =>
  withSubscription(ctx, subscription, async (ctx, { user, row }) => {
    moved(row, 'unpaused')
    if (row.suspendedFor !== 'admin')
      throw new Problem(
        'invalid_transition',
        'It is suspended for another reason, which is lifted where it was set: its payment, or its account',
      )
    await liftPlanServer(ctx, row.id)
    // Meanwhile the account was suspended: its time stands still for that, too.
    if (row.priceId !== null && (await isBillingPaused(ctx.db, row.userId))) {
      const change = { suspendedFor: 'account', suspensionReason: null } as const
      await store.updateSubscription(ctx.db, ctx.now, row.id, change)
      return
    }
    await goOn(ctx, row)
    await tell(ctx, user, 'host_lifted', await planOf(ctx, row))
  })

const planOf = async (ctx: Ctx, { id, planId }: store.SubscriptionRow) => ({
  plan: (await planNames(ctx.db, [planId])).get(planId) ?? '',
  subscriptionId: id,
})

type Cause = Pick<store.SubscriptionRow, 'suspendedFor'> &
  Partial<Pick<store.SubscriptionRow, 'suspensionReason'>>

/** What is asked for is void, and asked for anew once the time goes on. */
async function standStill(ctx: Ctx, row: store.SubscriptionRow, cause: Cause): Promise<void> {
  const { now } = ctx
  const status = moved(row, 'paused')
  await voidRenewals(ctx, now, row)
  for (const invoice of await invoicesOf(ctx.db, row.id))
    if (invoice.id === row.pendingInvoiceId && invoice.status === 'open')
      await voidInvoice(ctx, now, invoice)
  const keepsChange = isNextPeriodPaid(row, await paidUntil(ctx, row))
  await store.updateSubscription(ctx.db, now, row.id, {
    ...{ status, ...cause, suspendedAt: now },
    ...(keepsChange ? {} : await dropPending(ctx, row)),
    ...{ pastDueSince: null, nextAt: null },
  })
}

async function goOn(ctx: Ctx, row: store.SubscriptionRow): Promise<void> {
  const { now } = ctx
  const lost = now.getTime() - (row.suspendedAt ?? now).getTime()
  const later = (at: Date | null) => at && new Date(at.getTime() + lost)
  const inTrial = row.anchor === null && row.trialEndsAt !== null
  const boundary = boundaryOf(row)
  if (boundary !== null)
    await delayNextPeriod(ctx, now, row, {
      ...{ from: boundary, to: new Date(boundary.getTime() + lost) },
      endOf: ({ periodEnd }) => later(periodEnd),
    })
  const next = await store.updateSubscription(ctx.db, now, row.id, {
    status: inTrial ? 'trialing' : moved(row, 'unpaused'),
    ...{ suspendedFor: null, suspendedAt: null, suspensionReason: null },
    ...{ anchor: later(row.anchor) },
    ...{ periodStart: later(row.periodStart), periodEnd: later(row.periodEnd) },
    ...{ freeFrom: later(row.freeFrom), formerUntil: later(row.formerUntil) },
    pendingAt: later(row.pendingAt),
    ...(inTrial && { trialEndsAt: later(row.trialEndsAt) }),
  })
  await scheduleNext(ctx, now, next, await readSettings(ctx.db, billingSettings))
}
