import { randomUUIDv7 } from 'node:crypto'
import type { Cycle } from '@lodge/shared/billing/cycles.ts'
import { LIVE_STATUSES } from '@lodge/shared/limits/effective.ts'
import { HOLDING_STATUSES, type SUBSCRIPTION_STATUSES } from '@lodge/shared/plans.ts'
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { planPrices, plans, subscriptions } from './tables.ts'

export type PlanRow = typeof plans.$inferSelect
type Status = (typeof SUBSCRIPTION_STATUSES)[number]

export const listPlans = (db: Db): Promise<PlanRow[]> =>
  db
    .select()
    .from(plans)
    .orderBy(sql`${plans.archivedAt} is not null`, asc(plans.position), asc(plans.name))

export async function findPlan(db: Db, id: string): Promise<PlanRow | undefined> {
  const [row] = await db.select().from(plans).where(eq(plans.id, id))
  return row
}

/** The plan, locked until the transaction ends: sales and changes of prices wait. */
export async function lockPlan(db: Db, id: string): Promise<PlanRow | undefined> {
  const [row] = await db.select().from(plans).where(eq(plans.id, id)).for('no key update')
  return row
}

/** The position after all other plans. */
const last = sql`(select coalesce(max(position) + 1, 0) from plans)`

/** Adds a plan after the others; undefined if another has its name. */
export async function insertCopy(
  db: Db,
  row: Omit<typeof plans.$inferInsert, 'position'>,
): Promise<PlanRow | undefined> {
  const [inserted] = await db
    .insert(plans)
    .values({ ...row, position: last })
    .onConflictDoNothing({ target: plans.name })
    .returning()
  return inserted
}

/** Locks all plans, always in the same order, and returns their ids in display order. */
export async function lockAll(db: Db): Promise<string[]> {
  const rows = await db.select().from(plans).orderBy(asc(plans.id)).for('no key update')
  return rows
    .sort((a, b) => a.position - b.position || (a.name < b.name ? -1 : 1))
    .map(({ id }) => id)
}

/** Gives each plan its position in this list. */
export async function placePlans(db: Db, ids: readonly string[]): Promise<void> {
  await db.execute(sql`
    update plans set position = place.at
    from unnest(${`{${ids.join(',')}}`}::uuid[]) with ordinality as place(id, at)
    where plans.id = place.id and plans.position <> place.at`)
}

export async function insertPlan(
  db: Db,
  row: Omit<typeof plans.$inferInsert, 'position'>,
): Promise<PlanRow> {
  const [inserted] = await db
    .insert(plans)
    .values({ ...row, position: last })
    .returning()
  return inserted as PlanRow
}

export async function updatePlan(
  db: Db,
  id: string,
  change: Partial<typeof plans.$inferInsert>,
): Promise<PlanRow | undefined> {
  const [row] = await db.update(plans).set(change).where(eq(plans.id, id)).returning()
  return row
}

export async function deletePlan(db: Db, id: string): Promise<void> {
  await db.delete(plans).where(eq(plans.id, id))
}

/** Archives or restores a plan; undefined if nothing changes. */
export async function setArchived(
  db: Db,
  id: string,
  archived: boolean,
): Promise<PlanRow | undefined> {
  const before = archived ? isNull(plans.archivedAt) : isNotNull(plans.archivedAt)
  const [row] = await db
    .update(plans)
    .set({ archivedAt: archived ? sql`now()` : null })
    .where(and(eq(plans.id, id), before))
    .returning()
  return row
}

/** Subscriptions per plan and status. */
export async function subscriberCounts(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Partial<Record<Status, number>>>>> {
  const rows = await db
    .select({ planId: subscriptions.planId, status: subscriptions.status, count: count() })
    .from(subscriptions)
    .where(inArray(subscriptions.planId, [...ids]))
    .groupBy(subscriptions.planId, subscriptions.status)
  const found = new Map<string, Partial<Record<Status, number>>>()
  for (const { planId, status, count } of rows)
    found.set(planId, { ...found.get(planId), [status]: count })
  return found
}

export interface PriceCount {
  readonly planId: string
  readonly priceId: string
  readonly cycle: Cycle
  readonly amount: number
  readonly currency: string
  readonly retired: boolean
  readonly subscribers: number
}

/** Live subscriptions by price, the current prices first, then the newest. */
export async function liveByPrice(db: Db, planIds: readonly string[]): Promise<PriceCount[]> {
  return db
    .select({
      ...{ planId: planPrices.planId, priceId: planPrices.id, cycle: planPrices.cycle },
      ...{ amount: planPrices.amount, currency: planPrices.currency },
      retired: sql<boolean>`${planPrices.retiredAt} is not null`,
      subscribers: count(),
    })
    .from(subscriptions)
    .innerJoin(planPrices, eq(planPrices.id, subscriptions.priceId))
    .where(
      and(
        inArray(planPrices.planId, [...planIds]),
        inArray(subscriptions.status, [...LIVE_STATUSES]),
      ),
    )
    .groupBy(planPrices.id)
    .orderBy(sql`${planPrices.retiredAt} is not null`, desc(planPrices.createdAt), planPrices.id)
}

/**
 * How many units of each plan are taken: by subscriptions, by purchases that await payment, and by
 * changes to it that do.
 * @param userId counts only those of this customer
 */
export async function heldUnits(
  db: Db,
  planIds: readonly string[],
  userId?: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.execute<{ plan: string; held: number }>(sql`
    select plan, count(distinct id)::int as held from (
        select id, plan_id as plan, user_id, status from subscriptions
        union all
        select own.id, price.plan_id, own.user_id, own.status
          from subscriptions own join plan_prices price on price.id = own.pending_price_id
      ) as unit
    where plan = any(${`{${planIds.join(',')}}`}::uuid[])
      and status in (${sql.raw(HOLDING_STATUSES.map((status) => `'${status}'`).join(', '))})
      and (${userId ?? null}::uuid is null or user_id = ${userId ?? null}::uuid)
    group by plan`)
  return new Map(rows.map(({ plan, held }) => [plan, held]))
}

/** Whether an account plan is currently available. */
export async function planExists(db: Db, id: string): Promise<boolean> {
  const row = await findPlan(db, id)
  return row?.kind === 'account' && row.archivedAt === null
}

/** What plans are called and of which kind they are, by id. */
export async function planHeads(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<PlanRow, 'name' | 'kind'>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: plans.id, name: plans.name, kind: plans.kind })
    .from(plans)
    .where(inArray(plans.id, [...ids]))
  return new Map(rows.map(({ id, ...head }) => [id, head]))
}

/** Plan names by id. */
export async function planNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await planHeads(db, ids))].map(([id, { name }]) => [id, name]))
}

export async function startSubscription(db: Db, userId: string, planId: string): Promise<void> {
  await db.insert(subscriptions).values({ id: randomUUIDv7(), userId, planId, status: 'active' })
}

export async function deleteSubscriptionsOf(db: Db, userId: string): Promise<void> {
  await db.delete(subscriptions).where(eq(subscriptions.userId, userId))
}
