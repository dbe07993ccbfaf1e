import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { sessions } from '../tables.ts'
import { STANDS, viewed } from './standing-store.ts'
import { viewings } from './tables.ts'

type ViewingRow = typeof viewings.$inferSelect
/** A viewing with the name of the viewed account. */
export type OpenViewing = ViewingRow & { readonly customer: string }

const AT_ONCE = 100

/** Locks a session until the transaction ends. @returns whether it exists */
export async function lockSession(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.id, id))
    .for('update')
  return rows.length > 0
}

export async function insertViewing(db: Db, row: typeof viewings.$inferInsert): Promise<void> {
  await db.insert(viewings).values(row)
}

const over = and(isNull(viewings.endedAt), sql`(${STANDS}) is not true`)

/** Returns a row if a viewing is open but no longer valid. */
export const ANY_VIEWING_OVER = new QueryBuilder()
  .select({ id: viewings.id })
  .from(viewings)
  .innerJoin(viewed, eq(viewed.id, viewings.customerId))
  .leftJoin(sessions, eq(sessions.id, viewings.sessionId))
  .leftJoin(users, eq(users.id, sessions.userId))
  .where(over)
  .toSQL().sql

/** Locks open viewings; skips those that another transaction is ending. */
async function lockOpen(db: Db, which: SQL | undefined): Promise<OpenViewing[]> {
  const rows = await db
    .select({ viewing: viewings, customer: sql<string>`coalesce(${viewed.name}, ${viewed.email})` })
    .from(viewings)
    .innerJoin(viewed, eq(viewed.id, viewings.customerId))
    .leftJoin(sessions, eq(sessions.id, viewings.sessionId))
    .leftJoin(users, eq(users.id, sessions.userId))
    .where(and(isNull(viewings.endedAt), which))
    .limit(AT_ONCE)
    .for('update', { of: viewings, skipLocked: true })
  return rows.map(({ viewing, customer }) => ({ ...viewing, customer }))
}

export const lockViewingsOver = (db: Db) => lockOpen(db, over)
export const lockViewingsOf = (db: Db, customerId: string) =>
  lockOpen(db, eq(viewings.customerId, customerId))
export const lockViewingOfSession = (db: Db, sessionId: string) =>
  lockOpen(db, eq(viewings.sessionId, sessionId))

export async function markEnded(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .update(viewings)
    .set({ endedAt: sql`now()`, sessionId: null })
    .where(inArray(viewings.id, [...ids]))
}

/** Viewings of an account, newest first. */
export const listViewings = (
  db: Db,
  customerId: string,
): Promise<Pick<ViewingRow, 'id' | 'startedAt' | 'endedAt'>[]> =>
  db
    .select({ id: viewings.id, startedAt: viewings.startedAt, endedAt: viewings.endedAt })
    .from(viewings)
    .where(eq(viewings.customerId, customerId))
    .orderBy(desc(viewings.startedAt))
    .limit(50)

/** Deletes viewings that ended thirty days ago; the audit log keeps them longer. */
export async function deleteOldViewings(db: Db): Promise<number> {
  const rows = await db
    .delete(viewings)
    .where(lt(viewings.endedAt, sql`now() - interval '30 days'`))
    .returning({ id: viewings.id })
  return rows.length
}
