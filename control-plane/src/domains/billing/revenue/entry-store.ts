import { and, desc, eq, sql } from 'drizzle-orm'
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

interface Subscribed {
  readonly id: string
  readonly userId: string
}

/**
 * Subscriptions whose newest entry is not of the price that they have now, the next ones by id. Who pays
 * less than half a unit a month has none, and is among them each time.
 */
export async function outdated(db: Db, after: string, most: number): Promise<Subscribed[]> {
  const { rows } = await db.execute<{ id: string; userId: string }>(sql`
    select own.id, own.user_id as "userId" from subscriptions as own
    left join plan_prices as price on price.id = own.price_id
    left join lateral (select price_id, amount from revenue_entries as entry
      where entry.subscription_id = own.id order by entry.id desc limit 1) as last on true
    where own.id > ${after}::uuid
      and (case when own.status in ('active', 'past_due') and own.anchor is not null and price.amount > 0
          then own.price_id end)
        is distinct from (case when last.amount > 0 then last.price_id end)
    order by own.id limit ${most}`)
  return rows
}

/** Customers who are gone and whose entries did not end. */
export async function endless(db: Db, most: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct entry.customer_id as id from revenue_entries as entry
    where entry.amount > 0
      and not exists (select from users where users.id = entry.customer_id)
      and not exists (select from revenue_entries as later
        where later.subscription_id = entry.subscription_id and later.id > entry.id)
    limit ${most}`)
  return rows.map(({ id }) => id)
}
