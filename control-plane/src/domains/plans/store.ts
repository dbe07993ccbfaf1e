import { type AccountPlan, LIVE_STATUSES } from '@lodge/shared/limits/effective.ts'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { plans, subscriptions } from './tables.ts'

/** Account plans that a customer is subscribed to at present, the oldest subscription first. */
export const liveAccountPlans = (
  db: Db,
  userId: string,
): Promise<(AccountPlan & { planId: string })[]> =>
  db
    .select({ planId: plans.id, plan: plans.name, limits: plans.limits })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .where(
      and(
        eq(subscriptions.userId, userId),
        eq(plans.kind, 'account'),
        inArray(subscriptions.status, [...LIVE_STATUSES]),
      ),
    )
    .orderBy(asc(subscriptions.createdAt), asc(subscriptions.id))
