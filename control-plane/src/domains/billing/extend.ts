import { periodEnd } from '@lodge/shared/billing/cycles.ts'
import type { ExtendSubscription } from '@lodge/shared/billing/grants.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { findPrices, planNames } from '../plans/index.ts'
import { readSettings } from '../settings/index.ts'
import { boundaryOf, freeFromOf } from './boundary.ts'
import { delayNextPeriod } from './delay-next.ts'
import { moved, withSubscription } from './moves.ts'
import { tell } from './news.ts'
import { daysAfter, voidRenewals } from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'

/**
 * Gives a customer free time: the paid period or the trial ends later, and what renews it is asked for anew
 * by then. A next period that is paid already begins later.
 */
export const extendSubscription = (
  ctx: Ctx,
  now: Date,
  subscription: store.SubscriptionRow,
  { days, reason = '' }: ExtendSubscription,
): Promise<void> =>
  withSubscription(ctx, subscription, async (ctx, { user, row }) => {
    const status = moved(row, 'extended')
    const boundary = boundaryOf(row)
    if (boundary === null || row.priceId === null)
      throw new Problem('invalid_state', 'It costs nothing and does not end: it needs no free time')
    const until = daysAfter(boundary, days)
    await voidRenewals(ctx, now, row)
    const price = (await findPrices(ctx.db, [row.priceId])).get(row.priceId)
    const nextEnd = price ? periodEnd(until, price.cycle, 1) : null
    await delayNextPeriod(ctx, now, row, { from: boundary, to: until, endOf: () => nextEnd })
    const next = await store.updateSubscription(ctx.db, now, row.id, {
      status,
      // The periods after it are counted from its end.
      ...(row.status === 'trialing'
        ? { trialEndsAt: until }
        : { periodEnd: until, anchor: until, freeFrom: freeFromOf(row) ?? boundary }),
      ...(row.pendingAt !== null && { pendingAt: until }),
    })
    const plan = (await planNames(ctx.db, [row.planId])).get(row.planId) ?? ''
    await tell(ctx, user, 'extended', { plan, subscriptionId: row.id, until, reason })
    await scheduleNext(ctx, now, next, await readSettings(ctx.db, billingSettings))
  })
