import { randomUUIDv7 } from 'node:crypto'
import type { AssignPlan } from '@lodge/shared/billing/grants.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import { lockOwner, type UserRow } from '../customers/index.ts'
import { lockPlan, type PlanRow } from '../plans/index.ts'
import { suspendPlanServer } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { attachServer } from './attach-server.ts'
import { ask, priceOf, requireStock, reserveServer } from './checkout.ts'
import { tell } from './news.ts'
import { fulfilOrder } from './orders.ts'
import { daysAfter } from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'
import { beginTrial } from './trials.ts'

/**
 * Gives a customer a plan for the host, also one that is hidden or not for sale: as a gift, from a later day
 * on for a price, or for its first invoice. How many one customer may buy does not bind the host; stock and
 * the places of servers do.
 * @returns the subscription
 */
export const assignPlan = (ctx: Ctx, now: Date, given: AssignPlan): Promise<string> =>
  ctx.transaction(async (ctx) => {
    const user = await lockOwner(ctx.db, given.userId)
    if (!user) throw invalid([{ pointer: '/userId', detail: 'is not an account' }])
    if (user.state !== 'active')
      throw new Problem('invalid_state', 'This account is suspended or not open: change that first')
    const plan = await lockPlan(ctx.db, given.planId)
    if (!plan) throw invalid([{ pointer: '/planId', detail: 'is not a plan' }])
    if (plan.archivedAt !== null)
      throw new Problem(
        'not_for_sale',
        'This plan is archived: restore it first, or choose another',
      )
    await requireStock(ctx, plan)
    const row = given.price
      ? await sell(ctx, now, user, plan, given, given.price)
      : await give(ctx, now, user, plan, given)
    return row.id
  })

/** It costs nothing, and does not end by itself. */
async function give(
  ctx: Ctx,
  now: Date,
  user: UserRow,
  plan: PlanRow,
  given: AssignPlan,
): Promise<store.SubscriptionRow> {
  const row = await store.insertSubscription(ctx.db, {
    ...{ id: randomUUIDv7(), userId: user.id, planId: plan.id, status: 'active', createdAt: now },
  })
  await prepareServer(ctx, now, row, plan, given)
  await fulfilOrder(ctx, now, row.id)
  await tell(ctx, user, 'activated', { plan: plan.name, subscriptionId: row.id })
  return row
}

async function sell(
  ctx: Ctx,
  now: Date,
  user: UserRow,
  plan: PlanRow,
  given: AssignPlan,
  terms: NonNullable<AssignPlan['price']>,
): Promise<store.SubscriptionRow> {
  const price = await priceOf(ctx, plan, terms)
  const settings = await readSettings(ctx.db, billingSettings)
  const expiresAt = daysAfter(now, settings.checkoutDays)
  const row = await store.insertSubscription(ctx.db, {
    ...{ id: randomUUIDv7(), userId: user.id, planId: plan.id, priceId: price.id },
    ...{ status: 'incomplete', createdAt: now, expiresAt },
  })
  await prepareServer(ctx, now, row, plan, given)
  const begun =
    terms.freeDays > 0
      ? await beginTrial(ctx, now, user, row, { ...price, trialDays: terms.freeDays })
      : (await ask(ctx, now, settings, user, row, plan, price, expiresAt)).row
  // A server that the customer has already waits for the payment, as a new one does.
  if (begun.status === 'incomplete') await suspendPlanServer(ctx, row.id)
  await scheduleNext(ctx, now, begun, settings)
  return begun
}

/** Reserves a new server, or takes over one that the customer has. */
async function prepareServer(
  ctx: Ctx,
  now: Date,
  row: store.SubscriptionRow,
  plan: PlanRow,
  { server, serverId }: AssignPlan,
): Promise<void> {
  if (serverId === undefined) return reserveServer(ctx, row.id, plan, server)
  if (server)
    throw invalid([{ pointer: '/serverId', detail: 'cannot be sent together with a new server' }])
  await attachServer(ctx, now, row, plan, serverId)
}
