import { and, desc, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import { lock } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/database.ts'
import { deferredInsert } from '../../db/deferred-insert.ts'
import { preparedForKeys } from '../../db/prepared.ts'
import { type UserRow, users } from '../customers/tables.ts'
import { FACTOR_OVERDUE } from './overdue-factor-store.ts'
import { authChallenges, sessions } from './tables.ts'
import { STANDS, viewed } from './viewing/standing-store.ts'
import { viewings } from './viewing/tables.ts'

export type SessionRow = typeof sessions.$inferSelect

export const insertSession = (db: Db, row: typeof sessions.$inferInsert): Promise<void> =>
  deferredInsert(db, sessions, row)

const STALE = sql`${sessions.lastSeenAt} < now() - interval '1 minute'`

/** Idle time-out in hours; shorter for administrators. */
const IDLE_HOURS = sql`case when ${users.role} = 'admin' then 12 else 168 end`
const known = {
  tokenHash: sessions.tokenHash,
  sessionId: sessions.id,
  id: users.id,
  email: users.email,
  role: users.role,
  superAdmin: users.superAdmin,
  permissions: users.permissions,
  provedAt: sessions.provedAt,
  state: users.state,
  restriction: users.restriction,
  mustSetUpFactor: sql<boolean>`${FACTOR_OVERDUE}`,
  stale: sql<boolean>`${STALE}`,
  viewingId: sql<string | null>`case when ${STANDS} then ${viewings.id} end`,
  viewingUntil: viewings.expiresAt,
  viewedId: viewed.id,
  viewedEmail: viewed.email,
  viewedState: viewed.state,
  viewedRestriction: viewed.restriction,
}
/**
 * A session's user, and whether its use must be recorded: once a minute, so that reads do not
 * become writes.
 */
export type KnownSession = Pick<
  UserRow,
  'id' | 'email' | 'role' | 'superAdmin' | 'permissions' | 'state' | 'restriction'
> & {
  sessionId: string
  provedAt: Date | null
  mustSetUpFactor: boolean
  tokenHash: Buffer
  stale: boolean
} & (
    | {
        viewingId: string
        viewingUntil: Date
        viewedId: string
        viewedEmail: string
        viewedState: UserRow['state']
        viewedRestriction: UserRow['restriction']
      }
    /** While not viewing. */
    | {
        viewingId: null
        viewingUntil: unknown
        viewedId: unknown
        viewedEmail: unknown
        viewedState: unknown
        viewedRestriction: unknown
      }
  )
const openSessionsWhere = (named: (keys: SQL) => SQL) =>
  preparedForKeys<KnownSession>(Object.keys(known) as (keyof KnownSession)[], (keys) =>
    new QueryBuilder()
      .select(known)
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .leftJoin(viewings, eq(viewings.sessionId, sessions.id))
      .leftJoin(viewed, eq(viewed.id, viewings.customerId))
      .where(
        and(
          named(keys),
          sql`${users.state} in ('active', 'suspended')`,
          gt(sessions.expiresAt, sql`now()`),
          gt(sessions.lastSeenAt, sql`now() - make_interval(hours => ${IDLE_HOURS})`),
        ),
      ),
  )
const sessionsOf = openSessionsWhere((hashes) => sql`${sessions.tokenHash} in (${hashes})`)
const sessionsById = openSessionsWhere((ids) => sql`${sessions.id} in (${ids})`)

/** Open sessions, by the SHA-256 of their tokens in hexadecimal. */
export async function findSessions(
  db: Db,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, KnownSession>> {
  const rows = await sessionsOf(
    db,
    hashes.map((hash) => Buffer.from(hash, 'hex')),
  )
  return new Map(rows.map((row) => [row.tokenHash.toString('hex'), row]))
}

/** The same, by their ids. */
export const findSessionsById = (db: Db, ids: readonly string[]): Promise<KnownSession[]> =>
  sessionsById(db, ids)

/** Records that a session is in use, unless that was just done. */
export async function touchSession(db: Db, id: string, address: string): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now()`, address })
    .where(and(eq(sessions.id, id), STALE))
}

/** Records that the person at this session has just passed step-up. */
export async function proveSession(db: Db, id: string): Promise<Date> {
  const [row] = await db
    .update(sessions)
    .set({ provedAt: sql`now()` })
    .where(eq(sessions.id, id))
    .returning({ provedAt: sessions.provedAt })
  return row?.provedAt ?? new Date()
}

export const listSessions = (db: Db, userId: string): Promise<SessionRow[]> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(200)

/** The session of an account with this token, even if it has lapsed and is not deleted yet. */
export async function findSessionId(
  db: Db,
  userId: string,
  tokenHash: Buffer,
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.tokenHash, tokenHash)))
  return row?.id
}

export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
  return rows.length > 0
}

export async function deleteOtherSessions(db: Db, userId: string, keep: string): Promise<string[]> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, keep)))
    .returning({ id: sessions.id })
  return rows.map((row) => row.id)
}

/** Ends the sessions and unfinished sign-ins of an account. @returns ids of the ended sessions */
export async function deleteSessionsOf(db: Db, userId: string, keep?: string): Promise<string[]> {
  await db.delete(authChallenges).where(eq(authChallenges.userId, userId))
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), keep === undefined ? undefined : ne(sessions.id, keep)))
    .returning({ id: sessions.id })
  return rows.map((row) => row.id)
}

export async function listSessionIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
  return rows.map((row) => row.id)
}

/** Deletes long unused sessions; until then, a lapsed one still tells whose browser it was. */
export async function deleteEndedSessions(db: Db): Promise<number> {
  const rows = await db
    .delete(sessions)
    .where(sql`${sessions.lastSeenAt} < now() - interval '8 days'`)
    .returning({ id: sessions.id })
  return rows.length
}

/** Locked until the transaction ends: only one first administrator can be created. */
export const lockBootstrap = (db: Db): Promise<void> => lock(db, 'firstAdministrator')
