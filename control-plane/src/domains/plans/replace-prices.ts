import type { PriceInput } from '@lodge/shared/billing/prices.ts'
import type { Plan } from '@lodge/shared/plans.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { showPlan } from './plans.ts'
import * as prices from './price-store.ts'
import { addPrices, type Terms, termsOf } from './prices.ts'
import { lockPlan } from './store.ts'

const isSame = (row: Terms, given: Terms): boolean =>
  (['cycle', 'currency', 'amount', 'setupFee', 'trialDays'] as const).every(
    (key) => row[key] === given[key],
  )

/**
 * Replaces the current prices of a plan. A changed price is retired and a new one added: subscribers
 * keep the price that they subscribed at, renewals included.
 */
export async function replacePrices(
  ctx: Ctx,
  planId: string,
  given: readonly PriceInput[],
): Promise<Plan> {
  const wanted = given.map(termsOf)
  return ctx.transaction(async (ctx) => {
    const plan = await lockPlan(ctx.db, planId)
    if (!plan) throw notFound('plan')
    const present = await prices.currentPrices(ctx.db, [planId])
    const gone = present.filter((row) => !wanted.some((one) => isSame(row, one)))
    await prices.retirePrices(
      ctx.db,
      gone.map(({ id }) => id),
      ctx.now,
    )
    await addPrices(
      ctx,
      planId,
      wanted.filter((one) => !present.some((row) => isSame(row, one))),
    )
    return showPlan(ctx.db, plan)
  })
}
