import { and, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { authChallenges, sessions } from '../tables.ts'
import { accountTokens, knownDevices, resetRequests, type TOKEN_PURPOSES } from './tables.ts'

export type AccountTokenRow = typeof accountTokens.$inferSelect
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number]

export async function insertAccountToken(
  db: Db,
  row: typeof accountTokens.$inferInsert,
): Promise<void> {
  await db.insert(accountTokens).values(row)
}

const valid = (tokenHash: Buffer, purposes: readonly TokenPurpose[]) =>
  and(
    eq(accountTokens.tokenHash, tokenHash),
    inArray(accountTokens.purpose, [...purposes]),
    gt(accountTokens.expiresAt, sql`clock_timestamp()`),
  )

export async function findAccountToken(
  db: Db,
  tokenHash: Buffer,
  purposes: readonly TokenPurpose[],
): Promise<AccountTokenRow | undefined> {
  const [row] = await db.select().from(accountTokens).where(valid(tokenHash, purposes))
  return row
}

/** Redeems a token; of two concurrent uses only one succeeds. */
export async function takeAccountToken(
  db: Db,
  tokenHash: Buffer,
  purposes: readonly TokenPurpose[],
): Promise<AccountTokenRow | undefined> {
  const [row] = await db.delete(accountTokens).where(valid(tokenHash, purposes)).returning()
  return row
}

export async function deleteAccountTokens(
  db: Db,
  userId: string,
  purposes: readonly TokenPurpose[],
): Promise<void> {
  await db
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), inArray(accountTokens.purpose, [...purposes])))
}

/** Deletes the account's links of every purpose, including a transfer that it requested. */
export async function deleteTokensFor(db: Db, userId: string): Promise<void> {
  await db
    .delete(accountTokens)
    .where(or(eq(accountTokens.userId, userId), sql`${accountTokens.data}->>'from' = ${userId}`))
}

export async function deleteExpiredAccountTokens(db: Db): Promise<number> {
  const rows = await db
    .delete(accountTokens)
    .where(lt(accountTokens.expiresAt, sql`now()`))
    .returning({ id: accountTokens.id })
  return rows.length
}

export async function insertResetRequest(
  db: Db,
  row: typeof resetRequests.$inferInsert,
): Promise<void> {
  await db.insert(resetRequests).values(row)
}

/** Has a row while there is a request. */
export const ANY_RESET_REQUEST = 'select from reset_requests'

/** Removes and returns the oldest requests; a concurrent instance gets others. */
export async function takeResetRequests(db: Db, count: number): Promise<string[]> {
  const oldest = sql`select id from reset_requests order by id limit ${count} for update skip locked`
  const rows = await db
    .delete(resetRequests)
    .where(sql`${resetRequests.id} in (${oldest})`)
    .returning({ email: resetRequests.email })
  return rows.map((row) => row.email)
}

/** @returns ids of the ended sessions */
export async function deleteSessionsOf(db: Db, userId: string, keep?: string): Promise<string[]> {
  await db.delete(authChallenges).where(eq(authChallenges.userId, userId))
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), keep === undefined ? undefined : ne(sessions.id, keep)))
    .returning({ id: sessions.id })
  return rows.map((row) => row.id)
}

/** @returns whether the device is new, and whether the account had any before */
export async function noteDevice(
  db: Db,
  userId: string,
  deviceHash: Buffer,
): Promise<{ isNew: boolean; hadOthers: boolean }> {
  const [noted] = await db
    .insert(knownDevices)
    .values({ userId, deviceHash })
    .onConflictDoUpdate({
      target: [knownDevices.userId, knownDevices.deviceHash],
      set: { seenAt: sql`now()` },
    })
    .returning({
      isNew: sql<boolean>`xmax = 0`,
      // Sees the rows from before this statement.
      hadOthers: sql<boolean>`exists (select 1 from known_devices as other where other.user_id = ${userId})`,
    })
  return noted ?? { isNew: false, hadOthers: true }
}

export async function deleteForgottenDevices(db: Db): Promise<number> {
  const rows = await db
    .delete(knownDevices)
    .where(sql`${knownDevices.seenAt} < now() - interval '400 days'`)
    .returning({ userId: knownDevices.userId })
  return rows.length
}

export async function listSessionIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
  return rows.map((row) => row.id)
}

/** A new transfer replaces an earlier one. */
export async function deleteTransfers(db: Db): Promise<void> {
  await db.delete(accountTokens).where(eq(accountTokens.purpose, 'team_transfer'))
}
