import { CYCLES } from '@lodge/shared/billing/cycles.ts'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { planPrices } from './tables.ts'

export type PriceRow = typeof planPrices.$inferSelect

/** The current prices of plans, the shortest periods first. */
export async function currentPrices(db: Db, planIds: readonly string[]): Promise<PriceRow[]> {
  if (planIds.length === 0) return []
  const rows = await db
    .select()
    .from(planPrices)
    .where(and(inArray(planPrices.planId, [...planIds]), isNull(planPrices.retiredAt)))
  const place = ({ cycle }: PriceRow): number => CYCLES.indexOf(cycle)
  return rows.sort((a, b) => place(a) - place(b) || a.currency.localeCompare(b.currency))
}

/** Prices by id, including retired ones. */
export async function findPrices(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PriceRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(planPrices)
    .where(inArray(planPrices.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** A price of a plan with these terms, preferring the current one. */
export async function priceLike(
  db: Db,
  { planId, cycle, currency, amount }: Pick<PriceRow, 'planId' | 'cycle' | 'currency' | 'amount'>,
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: planPrices.id })
    .from(planPrices)
    .where(
      and(
        eq(planPrices.planId, planId),
        eq(planPrices.cycle, cycle),
        eq(planPrices.currency, currency),
        eq(planPrices.amount, amount),
      ),
    )
    .orderBy(sql`${planPrices.retiredAt} is not null`, planPrices.id)
    .limit(1)
  return row?.id
}

export async function insertPrices(
  db: Db,
  rows: readonly (typeof planPrices.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await db.insert(planPrices).values([...rows])
}

export async function retirePrices(db: Db, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(planPrices)
    .set({ retiredAt: at })
    .where(inArray(planPrices.id, [...ids]))
}
