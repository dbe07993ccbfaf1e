import type { Tier, WriteTier } from '@lodge/shared/support/tiers.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { requireFree } from '../../../db/cap.ts'
import { type Db, isDuplicate } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { notFound, Problem } from '../../../problem.ts'
import { planNames } from '../../plans/index.ts'
import { tierCap } from '../tiers/cap-store.ts'
import * as store from '../tiers/store.ts'
import { recomputeAll } from '../watches/store.ts'
import { whileChangingGoals } from '../watches/turns.ts'

/** Creates or replaces the tier with this id; goals of open tickets are recomputed. */
export const changeTier = (ctx: Ctx<User>, id: string, given: WriteTier): Promise<Tier> =>
  ctx.transaction(async ({ db }) => {
    await whileChangingGoals(db)
    const present = await store.findTier(db, id)
    if (!present) await requireFree(db, tierCap)
    if (present?.isDefault && !given.isDefault)
      throw refused('/isDefault', 'stays true: make another tier the default instead')
    await checkPlans(db, id, given.planIds)
    try {
      await store.saveTier(db, id, given)
    } catch (error) {
      if (!isDuplicate(error, 'support_tiers_name')) throw error
      throw refused('/name', 'is the name of another tier')
    }
    await recomputeAll(db)
    return { id, ...given }
  })

/** Deletes a tier; its tickets get their requesters' remaining tier. */
export const deleteTier = (ctx: Ctx<User>, id: string): Promise<void> =>
  ctx.transaction(async ({ db }) => {
    await whileChangingGoals(db)
    const tier = await store.findTier(db, id)
    if (!tier) throw notFound('tier')
    if (tier.isDefault)
      throw new Problem(
        'invalid_state',
        'This tier is the default: make another one the default first',
      )
    await store.deleteTier(db, id)
    await recomputeAll(db)
  })

async function checkPlans(db: Db, id: string, planIds: readonly string[]): Promise<void> {
  const known = await planNames(db, planIds)
  const unknown = planIds.findIndex((planId) => !known.has(planId))
  if (unknown >= 0) throw refused(`/planIds/${unknown}`, 'is no plan')
  const [taken] = await store.plansOfOthers(db, id, planIds)
  if (taken)
    throw refused(
      `/planIds/${planIds.indexOf(taken.planId)}`,
      `is a plan of the tier ${taken.tier}: take it from there first`,
    )
}

const refused = (pointer: string, detail: string) => invalid([{ pointer, detail }])
