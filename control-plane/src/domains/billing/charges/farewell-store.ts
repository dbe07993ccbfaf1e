import { and, asc, count, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { providerCustomers, providerFarewells } from './tables.ts'

export type FarewellRow = typeof providerFarewells.$inferSelect

export const ANY_FAREWELL = 'select from provider_farewells where due_at <= now()'
const MOST_AT_ONCE = 20

/**
 * Keeps the providers' references of a customer who is about to be deleted, until the providers have
 * deleted the payment methods.
 */
export async function keepFarewells(
  db: Db,
  userId: string,
  at: Pick<FarewellRow, 'dueAt' | 'lastAt'>,
): Promise<void> {
  const { provider, ref } = providerCustomers
  const known = await db
    .select({ provider, ref })
    .from(providerCustomers)
    .where(eq(providerCustomers.userId, userId))
  if (known.length === 0) return
  await db
    .insert(providerFarewells)
    .values(known.map((one) => ({ ...one, ...at })))
    .onConflictDoNothing()
}

export const dueFarewells = (
  db: Db,
  now: Date,
): Promise<Pick<FarewellRow, 'provider' | 'ref'>[]> => {
  const { provider, ref, dueAt } = providerFarewells
  return db
    .select({ provider, ref })
    .from(providerFarewells)
    .where(lte(dueAt, now))
    .orderBy(asc(dueAt))
    .limit(MOST_AT_ONCE)
}

type Named = Pick<FarewellRow, 'provider' | 'ref'>
const isNamed = ({ provider, ref }: Named) =>
  and(eq(providerFarewells.provider, provider), eq(providerFarewells.ref, ref))

/**
 * Claims a deletion that is due until the given time; undefined if another control plane has claimed
 * it.
 */
export async function claimFarewell(
  db: Db,
  now: Date,
  named: Named,
  until: Date,
): Promise<FarewellRow | undefined> {
  const [row] = await db
    .update(providerFarewells)
    .set({ dueAt: until, tries: sql`${providerFarewells.tries} + 1` })
    .where(and(isNamed(named), lte(providerFarewells.dueAt, now)))
    .returning()
  return row
}

export async function updateFarewell(
  db: Db,
  named: Named,
  change: Partial<FarewellRow>,
): Promise<void> {
  await db.update(providerFarewells).set(change).where(isNamed(named))
}

export async function deleteFarewell(db: Db, named: Named): Promise<void> {
  await db.delete(providerFarewells).where(isNamed(named))
}

/** How many customers' payment methods a provider still has to delete. */
export async function farewellsOf(db: Db, provider: string): Promise<number> {
  const [row] = await db
    .select({ waiting: count() })
    .from(providerFarewells)
    .where(eq(providerFarewells.provider, provider))
  return row?.waiting ?? 0
}
