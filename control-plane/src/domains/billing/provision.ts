import { type Ctx, contextFor } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { findUser, lockOwner } from '../customers/index.ts'
import { planNames } from '../plans/index.ts'
import { idOfSubscription, suspendPlanServer } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { makeServer } from './orders.ts'
import { isDisputed } from './refunds/refund-store.ts'
import { offerRefund } from './refunds/undelivered.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'

const MINUTE_MS = 60_000
/** Delay after each attempt; after the last one the host is notified. */
const RETRIES_MINUTES = [1, 5, 15, 60]

/**
 * Creates the servers that were paid. One transaction creates the server and ends the order, so that
 * none is created twice; refusals are retried.
 */
export async function provisionDue(services: Services, now = new Date()): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  let made = 0
  for (const id of await store.dueOrders(ctx.db, now)) {
    const row = await store.findSubscription(ctx.db, id)
    if (!row) continue
    try {
      made += await ctx.transaction(async (ctx) => {
        await lockOwner(ctx.db, row.userId)
        const order = await store.lockOrder(ctx.db, id)
        if (!order || !isDue(order, now)) return 0
        await makeServer(ctx, row.userId, id, order)
        // Its payment was disputed before the server existed, or the host suspended it.
        if (await keepsOff(ctx, id)) await suspendPlanServer(ctx, id, 'dispute')
        const present = await store.findSubscription(ctx.db, id)
        if (present?.suspendedFor === 'admin') await suspendPlanServer(ctx, id)
        return 1
      })
    } catch (error) {
      if (!(error instanceof Problem)) services.log.error({ err: error }, 'a server was not made')
      await postpone(services, now, id, error instanceof Problem ? error.message : 'Unexpected')
    }
  }
  return made
}

/** Whether a server is still to be made now: another control plane may have tried, or the purchase ended. */
const isDue = ({ state, nextAt }: store.OrderRow, now: Date): boolean =>
  (state === 'waiting' || state === 'failed') && nextAt !== null && nextAt <= now

const keepsOff = async (ctx: Ctx, id: string): Promise<boolean> =>
  (await isDisputed(ctx.db, id)) && (await readSettings(ctx.db, billingSettings)).suspendDisputed

async function postpone(services: Services, now: Date, id: string, why: string): Promise<void> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  await ctx.transaction(async (ctx) => {
    const order = await store.lockOrder(ctx.db, id)
    const row = await store.findSubscription(ctx.db, id)
    if (!order || !row || !isDue(order, now)) return
    const minutes = RETRIES_MINUTES[order.attempts] ?? RETRIES_MINUTES.at(-1) ?? 60
    const attempts = order.attempts + 1
    await store.updateOrder(ctx.db, order.id, {
      ...{ attempts, failure: why, nextAt: new Date(now.getTime() + minutes * MINUTE_MS) },
      ...(attempts >= RETRIES_MINUTES.length && { state: 'failed' as const }),
    })
    if (attempts !== RETRIES_MINUTES.length) return
    const names = await planNames(ctx.db, [row.planId])
    const user = await findUser(ctx.db, row.userId)
    if (user && (await idOfSubscription(ctx.db, id)) === undefined)
      await offerRefund(ctx, now, user, row, names.get(row.planId) ?? '')
    await ctx.emit('billing.provisioning_failed', {
      ...{ subscriptionId: id, email: user?.email ?? '', plan: names.get(row.planId) ?? '', why },
    })
  })
}
