import { randomUUIDv7 } from 'node:crypto'
import { type AccountPlan, LIVE_STATUSES } from '@lodge/shared/limits/effective.ts'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { plans, subscriptions } from './tables.ts'

type LivePlan = AccountPlan & { planId: string }
const livePlans = prepared<LivePlan, { userId: string }>(
  ['planId', 'plan', 'limits'],
  new QueryBuilder()
    .select({ planId: plans.id, plan: plans.name, limits: plans.limits })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .where(
      and(
        eq(subscriptions.userId, sql.placeholder('userId')),
        eq(plans.kind, 'account'),
        inArray(subscriptions.status, [...LIVE_STATUSES]),
      ),
    )
    .orderBy(asc(subscriptions.createdAt), asc(subscriptions.id)),
)

/** Account plans that a customer is subscribed to at present, the oldest subscription first. */
export const liveAccountPlans = (db: Db, userId: string): Promise<LivePlan[]> =>
  livePlans(db, { userId })

/** Whether an account plan can be had at present. */
export async function planExists(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: plans.id })
    .from(plans)
    .where(and(eq(plans.id, id), eq(plans.kind, 'account'), isNull(plans.archivedAt)))
  return rows.length > 0
}

export async function startSubscription(db: Db, userId: string, planId: string): Promise<void> {
  await db.insert(subscriptions).values({ id: randomUUIDv7(), userId, planId, status: 'active' })
}
