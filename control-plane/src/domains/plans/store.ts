import { randomUUIDv7 } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { plans, subscriptions } from './tables.ts'

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
