import { and, asc, count, desc, eq, lt, lte } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { providerEvents } from '../tables.ts'

export type ProviderEventRow = typeof providerEvents.$inferSelect

/** Stores the events that are new. */
export async function insertEvents(
  db: Db,
  rows: readonly (typeof providerEvents.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0)
    await db
      .insert(providerEvents)
      .values([...rows])
      .onConflictDoNothing({ target: [providerEvents.provider, providerEvents.eventId] })
}

export const ANY_EVENT = 'select from provider_events where next_at <= now()'
const MOST_AT_ONCE = 20

export const dueEvents = (db: Db, now: Date): Promise<ProviderEventRow[]> =>
  db
    .select()
    .from(providerEvents)
    .where(lte(providerEvents.nextAt, now))
    .orderBy(asc(providerEvents.nextAt))
    .limit(MOST_AT_ONCE)

export async function updateEvent(
  db: Db,
  id: string,
  change: Partial<ProviderEventRow>,
): Promise<void> {
  await db.update(providerEvents).set(change).where(eq(providerEvents.id, id))
}

export async function findEvent(db: Db, id: string): Promise<ProviderEventRow | undefined> {
  const [row] = await db.select().from(providerEvents).where(eq(providerEvents.id, id))
  return row
}

export const newestEvents = (
  db: Db,
  {
    after,
    limit,
    state,
  }: {
    after?: string | undefined
    limit: number
    state?: ProviderEventRow['state'] | undefined
  },
): Promise<ProviderEventRow[]> =>
  db
    .select()
    .from(providerEvents)
    .where(
      and(
        after === undefined ? undefined : lt(providerEvents.id, after),
        state === undefined ? undefined : eq(providerEvents.state, state),
      ),
    )
    .orderBy(desc(providerEvents.id))
    .limit(limit)

/** How many events of a provider are still waiting. */
export async function waitingOf(db: Db, provider: string): Promise<number> {
  const [row] = await db
    .select({ waiting: count() })
    .from(providerEvents)
    .where(and(eq(providerEvents.provider, provider), eq(providerEvents.state, 'waiting')))
  return row?.waiting ?? 0
}
