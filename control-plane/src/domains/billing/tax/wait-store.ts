import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { plans, subscriptions } from '../../plans/tables.ts'
import { taxWaits } from './tables.ts'

export type TaxWaitRow = typeof taxWaits.$inferSelect

export async function findWait(db: Db, subscriptionId: string): Promise<TaxWaitRow | undefined> {
  const [row] = await db.select().from(taxWaits).where(eq(taxWaits.subscriptionId, subscriptionId))
  return row
}

export async function storeWait(db: Db, row: typeof taxWaits.$inferInsert): Promise<void> {
  const { subscriptionId: _, since: __, ...change } = row
  await db
    .insert(taxWaits)
    .values(row)
    .onConflictDoUpdate({ target: taxWaits.subscriptionId, set: change })
}

export async function endWait(db: Db, subscriptionId: string): Promise<void> {
  await db.delete(taxWaits).where(eq(taxWaits.subscriptionId, subscriptionId))
}

/**
 * Makes waiting invoices due now, after a change of settings or address: all, or those of one
 * customer.
 */
export async function lookAtWaiting(db: Db, now: Date, userId?: string): Promise<void> {
  const waiting = db.select({ id: taxWaits.subscriptionId }).from(taxWaits)
  const own = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(userId === undefined ? undefined : eq(subscriptions.userId, userId))
  // Errors about the former address no longer apply.
  await db
    .update(taxWaits)
    .set({ needsAddress: false })
    .where(inArray(taxWaits.subscriptionId, own))
  await db
    .update(subscriptions)
    .set({ nextAt: now })
    .where(
      and(
        inArray(subscriptions.id, waiting),
        isNull(subscriptions.endedAt),
        userId === undefined ? undefined : eq(subscriptions.userId, userId),
      ),
    )
}

const ofLiving = isNull(subscriptions.endedAt)

/** Whether an invoice of a customer waits for their address. */
export async function waitsForAddress(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: taxWaits.subscriptionId })
    .from(taxWaits)
    .innerJoin(subscriptions, eq(subscriptions.id, taxWaits.subscriptionId))
    .where(and(eq(subscriptions.userId, userId), eq(taxWaits.needsAddress, true), ofLiving))
    .limit(1)
  return rows.length > 0
}

const MOST_SHOWN = 100

/** Subscriptions that wait for a tax, the longest first. */
export const listWaits = (db: Db) =>
  db
    .select({
      ...{ subscriptionId: taxWaits.subscriptionId, userId: subscriptions.userId },
      ...{ email: users.email, planName: plans.name, since: taxWaits.since },
      ...{ tries: taxWaits.tries, nextAt: subscriptions.nextAt, failure: taxWaits.failure },
      ...{ needsAddress: taxWaits.needsAddress, count: sql<number>`count(*) over ()::int` },
    })
    .from(taxWaits)
    .innerJoin(subscriptions, eq(subscriptions.id, taxWaits.subscriptionId))
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .where(ofLiving)
    .orderBy(asc(taxWaits.since), asc(taxWaits.subscriptionId))
    .limit(MOST_SHOWN)
