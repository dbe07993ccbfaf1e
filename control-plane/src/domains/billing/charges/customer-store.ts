import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { subscriptions } from '../../plans/tables.ts'
import { providerCustomers } from './tables.ts'

export type ProviderCustomer = typeof providerCustomers.$inferSelect

const isOf = (userId: string, provider: string) =>
  and(eq(providerCustomers.userId, userId), eq(providerCustomers.provider, provider))

/** The references by which each provider knows a customer. */
export const customersOf = (db: Db, userId: string): Promise<ProviderCustomer[]> =>
  db
    .select()
    .from(providerCustomers)
    .where(eq(providerCustomers.userId, userId))
    .orderBy(providerCustomers.provider)

export async function findCustomer(
  db: Db,
  userId: string,
  provider: string,
): Promise<ProviderCustomer | undefined> {
  const [row] = await db.select().from(providerCustomers).where(isOf(userId, provider))
  return row
}

/** The customer with this reference at a provider. */
export async function customerNamed(
  db: Db,
  provider: string,
  ref: string,
): Promise<ProviderCustomer | undefined> {
  const [row] = await db
    .select()
    .from(providerCustomers)
    .where(and(eq(providerCustomers.provider, provider), eq(providerCustomers.ref, ref)))
    .limit(1)
  return row
}

const MOST_AT_ONCE = 50

/** Customers who went to save a payment method while a purchase of theirs is not complete. */
export const customersWhoWait = (
  db: Db,
): Promise<Pick<ProviderCustomer, 'userId' | 'provider'>[]> =>
  db
    .selectDistinctOn([providerCustomers.userId, providerCustomers.provider], {
      userId: providerCustomers.userId,
      provider: providerCustomers.provider,
    })
    .from(providerCustomers)
    .innerJoin(subscriptions, eq(subscriptions.userId, providerCustomers.userId))
    .where(and(eq(providerCustomers.autoCharge, 'asked'), eq(subscriptions.status, 'incomplete')))
    .limit(MOST_AT_ONCE)

/** Stores the reference by which a provider knows a customer. */
export async function keepCustomer(
  db: Db,
  row: Pick<ProviderCustomer, 'userId' | 'provider' | 'ref'>,
): Promise<void> {
  await db
    .insert(providerCustomers)
    .values(row)
    .onConflictDoUpdate({
      target: [providerCustomers.userId, providerCustomers.provider],
      set: { ref: row.ref },
    })
}

export async function updateCustomer(
  db: Db,
  userId: string,
  provider: string,
  change: Partial<ProviderCustomer>,
): Promise<void> {
  await db.update(providerCustomers).set(change).where(isOf(userId, provider))
}

/** Turns automatic charges of a customer off at every provider but this one. */
export async function chargeNowhereElse(db: Db, userId: string, provider: string): Promise<void> {
  await db
    .update(providerCustomers)
    .set({ autoCharge: 'off' })
    .where(and(eq(providerCustomers.userId, userId), ne(providerCustomers.provider, provider)))
}

/**
 * The provider that charges a customer's renewals, with its reference of the customer; undefined if
 * there is none.
 */
export async function chargedCustomer(
  db: Db,
  userId: string,
): Promise<ProviderCustomer | undefined> {
  const [row] = await db
    .select()
    .from(providerCustomers)
    .where(and(eq(providerCustomers.userId, userId), eq(providerCustomers.autoCharge, 'on')))
    .limit(1)
  return row
}
