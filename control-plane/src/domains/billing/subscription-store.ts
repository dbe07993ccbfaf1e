import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
} from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { subscriptions } from '../plans/tables.ts'
import { servers } from '../servers/tables.ts'
import { recordRevenue } from './revenue/record.ts'
import { billingSteps, type OrderedMachine, serverOrders } from './tables.ts'

export type { OrderedMachine }

export type SubscriptionRow = typeof subscriptions.$inferSelect
export type OrderRow = typeof serverOrders.$inferSelect

export async function insertSubscription(
  db: Db,
  row: typeof subscriptions.$inferInsert,
): Promise<SubscriptionRow> {
  const [inserted] = await db.insert(subscriptions).values(row).returning()
  return inserted as SubscriptionRow
}

export async function findSubscription(db: Db, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

/** The subscription, locked until the transaction ends; lock its customer first. */
export async function lockRow(db: Db, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, id))
    .for('no key update')
  return row
}

/** Changes a subscription, and records the change of its revenue. */
export async function updateSubscription(
  db: Db,
  now: Date,
  id: string,
  change: Partial<SubscriptionRow>,
): Promise<SubscriptionRow> {
  const [changed] = await db
    .update(subscriptions)
    .set(change)
    .where(eq(subscriptions.id, id))
    .returning()
  const row = changed as SubscriptionRow
  if (REVENUE.some((column) => column in change)) await recordRevenue(db, now, row)
  return row
}
/** The columns that revenue depends on. */
const REVENUE = ['status', 'priceId', 'anchor'] as const satisfies (keyof SubscriptionRow)[]

export const subscriptionsOf = (db: Db, userId: string): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(desc(subscriptions.id))

export const ANY_DUE = 'select from subscriptions where next_at <= now()'
export const ANY_ORDER = 'select from server_orders where next_at <= now()'
const MOST_AT_ONCE = 50

export const dueSubscriptions = (db: Db, now: Date): Promise<{ id: string; userId: string }[]> =>
  db
    .select({ id: subscriptions.id, userId: subscriptions.userId })
    .from(subscriptions)
    .where(lte(subscriptions.nextAt, now))
    .orderBy(asc(subscriptions.nextAt))
    .limit(MOST_AT_ONCE)

/** The step of a subscription that began with a trial of a plan, which it may leave for another. */
const trialStep = (planId: string) => `trial ${planId}`

/** Notes that a subscription has its trial with its present plan. */
export async function noteTrial(db: Db, now: Date, row: SubscriptionRow): Promise<void> {
  const step = trialStep(row.planId)
  await insertStep(db, { subscriptionId: row.id, step, since: now, doneAt: now })
}

/** Whether a customer ever had a trial of a plan, whichever one its subscription has now. */
export async function hadTrial(db: Db, userId: string, planId: string): Promise<boolean> {
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.userId, userId),
        isNotNull(subscriptions.trialEndsAt),
        or(
          eq(subscriptions.planId, planId),
          exists(
            db
              .select({ step: billingSteps.step })
              .from(billingSteps)
              .where(
                and(
                  eq(billingSteps.subscriptionId, subscriptions.id),
                  eq(billingSteps.step, trialStep(planId)),
                ),
              ),
          ),
        ),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** When the steps of a period or a debt were taken. */
export async function stepsOf(
  db: Db,
  subscriptionId: string,
  since: Date,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .select()
    .from(billingSteps)
    .where(and(eq(billingSteps.subscriptionId, subscriptionId), gte(billingSteps.since, since)))
  return new Map(rows.map(({ step, doneAt }) => [step, doneAt]))
}

/** False if it was taken before. */
export async function insertStep(db: Db, row: typeof billingSteps.$inferInsert): Promise<boolean> {
  const rows = await db
    .insert(billingSteps)
    .values(row)
    .onConflictDoNothing()
    .returning({ step: billingSteps.step })
  return rows.length > 0
}

export async function insertOrder(db: Db, row: typeof serverOrders.$inferInsert): Promise<void> {
  await db.insert(serverOrders).values(row)
}

/** The order of a subscription, locked until the transaction ends. */
export async function lockOrder(db: Db, subscriptionId: string): Promise<OrderRow | undefined> {
  const [row] = await db
    .select()
    .from(serverOrders)
    .where(eq(serverOrders.subscriptionId, subscriptionId))
    .for('no key update')
  return row
}

export async function updateOrder(db: Db, id: string, change: Partial<OrderRow>): Promise<void> {
  await db.update(serverOrders).set(change).where(eq(serverOrders.id, id))
}

export async function ordersOf(
  db: Db,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string | null, OrderRow>> {
  if (subscriptionIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(serverOrders)
    .where(inArray(serverOrders.subscriptionId, [...subscriptionIds]))
  return new Map(rows.map((row) => [row.subscriptionId, row]))
}

/** The name of the server that came with a subscription, also once it is deleted; undefined if none did. */
export async function serverNameOf(db: Db, subscriptionId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ present: servers.name, ordered: serverOrders.name })
    .from(subscriptions)
    .leftJoin(serverOrders, eq(serverOrders.subscriptionId, subscriptions.id))
    .leftJoin(servers, eq(servers.subscriptionId, subscriptions.id))
    .where(eq(subscriptions.id, subscriptionId))
    .limit(1)
  return row?.present ?? row?.ordered ?? undefined
}

export const dueOrders = async (db: Db, now: Date): Promise<string[]> => {
  const rows = await db
    .select({ id: serverOrders.subscriptionId })
    .from(serverOrders)
    .where(lte(serverOrders.nextAt, now))
    .orderBy(asc(serverOrders.nextAt))
    .limit(MOST_AT_ONCE)
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

/** How many addresses of a network are reserved for machines that do not exist yet. */
export async function addressesKept(db: Db, networkId: string): Promise<number> {
  const [row] = await db
    .select({ kept: count() })
    .from(serverOrders)
    .where(
      and(
        isNotNull(serverOrders.nodeId),
        sql`${serverOrders.machine} ->> 'networkId' = ${networkId}`,
      ),
    )
  return row?.kept ?? 0
}

/** Deletes the machine details, with SSH keys, of orders whose customers are deleted. */
export async function forgetLostMachines(db: Db): Promise<void> {
  await db
    .update(serverOrders)
    .set({ machine: null })
    .where(and(isNull(serverOrders.subscriptionId), isNotNull(serverOrders.machine)))
}

/** Orders whose customer was deleted and that still reserve capacity; locked. */
export const lostOrders = (db: Db): Promise<OrderRow[]> =>
  db
    .select()
    .from(serverOrders)
    .where(
      and(
        isNull(serverOrders.subscriptionId),
        or(isNotNull(serverOrders.nodeId), isNotNull(serverOrders.growthNodeId)),
      ),
    )
    .for('update')
