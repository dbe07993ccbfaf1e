import { type Ctx, contextFor } from '../../context.ts'
import { lockScope } from '../../db/advisory-locks.ts'
import type { Services } from '../../services.ts'
import { lockOwner } from '../customers/index.ts'
import { lockPayment } from './refunds/refund-store.ts'
import { noteTakenBack, paymentsWithoutEntries } from './refunds/taken-back-store.ts'
import { endless, outdated } from './revenue/entry-store.ts'
import { endRevenueOf, recordRevenue } from './revenue/record.ts'
import { lockRow } from './subscription-store.ts'

const AT_ONCE = 500
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Adds missing entries for the revenue report: the previous release does not write them for its
 * changes while both run. They count from now, since nobody knows when the change happened.
 */
export async function reconcile(
  services: Services,
  stopped?: AbortSignal,
  now = new Date(),
): Promise<{ recorded: number; ended: number; noted: number }> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  return {
    recorded: await recordMissing(ctx, now, stopped),
    ended: await endMissing(ctx, now),
    noted: await noteMissing(ctx),
  }
}

async function recordMissing(ctx: Ctx, now: Date, stopped?: AbortSignal): Promise<number> {
  let recorded = 0
  let after: string | undefined = BEFORE_ALL
  while (after !== undefined && !stopped?.aborted) {
    const found = await outdated(ctx.db, after, AT_ONCE)
    for (const { id, userId } of found)
      recorded += await ctx.transaction(async (ctx) => {
        await lockOwner(ctx.db, userId)
        const row = await lockRow(ctx.db, id)
        return row && (await recordRevenue(ctx.db, now, row)) ? 1 : 0
      })
    after = found.length < AT_ONCE ? undefined : found.at(-1)?.id
  }
  return recorded
}

async function endMissing(ctx: Ctx, now: Date): Promise<number> {
  const gone = await endless(ctx.db, AT_ONCE)
  for (const customerId of gone)
    await ctx.transaction(async (ctx) => {
      // A deleted customer has no row to lock.
      await lockScope(ctx.db, `revenue of ${customerId}`)
      await endRevenueOf(ctx.db, now, customerId)
    })
  return gone.length
}

async function noteMissing(ctx: Ctx): Promise<number> {
  let noted = 0
  for (const id of await paymentsWithoutEntries(ctx.db, AT_ONCE))
    noted += await ctx.transaction(async (ctx) => {
      const payment = await lockPayment(ctx.db, id)
      return payment ? noteTakenBack(ctx.db, payment) : 0
    })
  return noted
}
