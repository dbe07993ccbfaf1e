import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { revenueEntries as entries } from './tables.ts'

export type EntryRow = typeof entries.$inferSelect
export type NewEntry = Omit<EntryRow, 'id' | 'at' | 'balance'>

/** The newest entry of a subscription; what it adds is what the subscription is a month. */
export async function lastOf(db: Db, subscriptionId: string): Promise<EntryRow | undefined> {
  const [row] = await db
    .select()
    .from(entries)
    .where(eq(entries.subscriptionId, subscriptionId))
    .orderBy(desc(entries.id))
    .limit(1)
  return row
}

/**
 * Adds an entry; the caller has locked the customer, or deletes them. It never comes before the last one
 * of the customer, even if the clock was set back or its request began earlier.
 */
export async function append(db: Db, now: Date, entry: NewEntry): Promise<void> {
  const { customerId, currency, amount } = entry
  const [last] = await db
    .select({ at: entries.at, balance: entries.balance })
    .from(entries)
    .where(and(eq(entries.customerId, customerId), eq(entries.currency, currency)))
    .orderBy(desc(entries.id))
    .limit(1)
  await db.insert(entries).values({
    ...entry,
    at: last && last.at > now ? last.at : now,
    balance: (last?.balance ?? 0) + amount,
  })
}

/** What each subscription of a customer is a month now. */
export const presentOf = async (db: Db, customerId: string): Promise<EntryRow[]> => {
  const rows = await db
    .selectDistinctOn([entries.subscriptionId])
    .from(entries)
    .where(eq(entries.customerId, customerId))
    .orderBy(entries.subscriptionId, desc(entries.id))
  return rows.filter(({ amount }) => amount > 0)
}
