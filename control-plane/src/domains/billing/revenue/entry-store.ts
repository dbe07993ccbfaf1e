import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { revenueEntries as entries } from './tables.ts'

export type EntryRow = typeof entries.$inferSelect
export type NewEntry = Omit<EntryRow, 'id' | 'at' | 'balance'>

/** The latest entry of a subscription, which states its current monthly amount. */
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
 * Appends an entry; the caller has locked the customer, or is deleting them. It is never dated before
 * the customer's last one, even if the clock was set back or its request began earlier.
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

/** The current monthly amount of each subscription of a customer. */
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
 * Subscriptions whose latest entry does not match their current price, in order of id. A subscription
 * below half a unit a month has no entry and is returned every time.
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

/** Deleted customers whose entries do not end at zero. */
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
