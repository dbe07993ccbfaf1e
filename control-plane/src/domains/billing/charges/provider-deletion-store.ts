import { and, asc, count, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { providerCustomers, providerDeletions } from './tables.ts'

export type ProviderDeletionRow = typeof providerDeletions.$inferSelect

export const ANY_PROVIDER_DELETION = 'select from provider_farewells where due_at <= now()'
const MOST_AT_ONCE = 20

/**
 * Keeps the providers' references of a customer who is about to be deleted, until the providers have
 * deleted the payment methods.
 */
export async function queueProviderDeletions(
  db: Db,
  userId: string,
  at: Pick<ProviderDeletionRow, 'dueAt' | 'lastAt'>,
): Promise<void> {
  const { provider, ref } = providerCustomers
  const known = await db
    .select({ provider, ref })
    .from(providerCustomers)
    .where(eq(providerCustomers.userId, userId))
  if (known.length === 0) return
  await db
    .insert(providerDeletions)
    .values(known.map((one) => ({ ...one, ...at })))
    .onConflictDoNothing()
}

export const dueProviderDeletions = (
  db: Db,
  now: Date,
): Promise<Pick<ProviderDeletionRow, 'provider' | 'ref'>[]> => {
  const { provider, ref, dueAt } = providerDeletions
  return db
    .select({ provider, ref })
    .from(providerDeletions)
    .where(lte(dueAt, now))
    .orderBy(asc(dueAt))
    .limit(MOST_AT_ONCE)
}

type Named = Pick<ProviderDeletionRow, 'provider' | 'ref'>
const isNamed = ({ provider, ref }: Named) =>
  and(eq(providerDeletions.provider, provider), eq(providerDeletions.ref, ref))

/**
 * Claims a deletion that is due until the given time; undefined if another control plane has claimed
 * it.
 */
export async function claimProviderDeletion(
  db: Db,
  now: Date,
  named: Named,
  until: Date,
): Promise<ProviderDeletionRow | undefined> {
  const [row] = await db
    .update(providerDeletions)
    .set({ dueAt: until, tries: sql`${providerDeletions.tries} + 1` })
    .where(and(isNamed(named), lte(providerDeletions.dueAt, now)))
    .returning()
  return row
}

export async function updateProviderDeletion(
  db: Db,
  named: Named,
  change: Partial<ProviderDeletionRow>,
): Promise<void> {
  await db.update(providerDeletions).set(change).where(isNamed(named))
}

export async function removeProviderDeletion(db: Db, named: Named): Promise<void> {
  await db.delete(providerDeletions).where(isNamed(named))
}

/** How many customers' payment methods a provider still has to delete. */
export async function countProviderDeletions(db: Db, provider: string): Promise<number> {
  const [row] = await db
    .select({ waiting: count() })
    .from(providerDeletions)
    .where(eq(providerDeletions.provider, provider))
  return row?.waiting ?? 0
}
