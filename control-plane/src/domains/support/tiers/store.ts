import type { Tier, WriteTier } from '@lodge/shared/support/tiers.ts'
import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { subscriptions } from '../../plans/tables.ts'
import { supportTierPlans, supportTiers, type TierRow } from './tables.ts'

/** Statuses of subscriptions that count for a tier. */
const LIVE = ['trialing', 'active', 'past_due'] as const

/** The best first. */
export async function listTiers(db: Db): Promise<Tier[]> {
  const rows = await db
    .select({
      id: supportTiers.id,
      name: supportTiers.name,
      isDefault: supportTiers.isDefault,
      position: supportTiers.position,
      calendar: supportTiers.calendar,
      goals: supportTiers.goals,
      planIds: sql<string[]>`array(select plan_id::text from ${supportTierPlans} of_tier
        where of_tier.tier_id = ${supportTiers.id} order by plan_id)`,
    })
    .from(supportTiers)
    .orderBy(asc(supportTiers.position), asc(supportTiers.name))
  return rows
}

export async function findTier(db: Db, id: string): Promise<TierRow | undefined> {
  const [row] = await db.select().from(supportTiers).where(eq(supportTiers.id, id))
  return row
}

/** Creates or replaces a tier. */
export async function saveTier(
  db: Db,
  id: string,
  { planIds, ...values }: WriteTier,
): Promise<void> {
  if (values.isDefault)
    await db
      .update(supportTiers)
      .set({ isDefault: false })
      .where(and(supportTiers.isDefault, ne(supportTiers.id, id)))
  await db
    .insert(supportTiers)
    .values({ id, ...values })
    .onConflictDoUpdate({ target: supportTiers.id, set: values })
  await db.delete(supportTierPlans).where(eq(supportTierPlans.tierId, id))
  if (planIds.length > 0)
    await db.insert(supportTierPlans).values(planIds.map((planId) => ({ planId, tierId: id })))
}

/** Plans of the list that belong to another tier, with its name. */
export const plansOfOthers = (
  db: Db,
  id: string,
  planIds: readonly string[],
): Promise<{ planId: string; tier: string }[]> =>
  db
    .select({ planId: supportTierPlans.planId, tier: supportTiers.name })
    .from(supportTierPlans)
    .innerJoin(supportTiers, eq(supportTiers.id, supportTierPlans.tierId))
    .where(and(inArray(supportTierPlans.planId, [...planIds]), ne(supportTierPlans.tierId, id)))

export async function deleteTier(db: Db, id: string): Promise<void> {
  await db.delete(supportTiers).where(eq(supportTiers.id, id))
}

/** The best tier among somebody's live subscriptions, or the default one. */
export async function tierOf(db: Db, userId: string | null): Promise<TierRow | undefined> {
  const subscribed = db
    .select({ tierId: supportTierPlans.tierId })
    .from(subscriptions)
    .innerJoin(supportTierPlans, eq(supportTierPlans.planId, subscriptions.planId))
    .where(
      and(
        userId === null ? isNull(subscriptions.userId) : eq(subscriptions.userId, userId),
        inArray(subscriptions.status, [...LIVE]),
      ),
    )
  const [row] = await db
    .select()
    .from(supportTiers)
    .where(or(supportTiers.isDefault, inArray(supportTiers.id, subscribed)))
    .orderBy(asc(supportTiers.isDefault), asc(supportTiers.position), asc(supportTiers.name))
    .limit(1)
  return row
}
