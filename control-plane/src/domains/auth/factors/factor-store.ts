import { randomUUIDv7 } from 'node:crypto'
import { and, desc, eq, gt, isNotNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { prepared, statement } from '../../../db/prepared.ts'
import {
  authChallenges,
  passkeys,
  recoveryCodes,
  secondFactorFailures,
  totpFactors,
} from '../tables.ts'

export type PasskeyRow = typeof passkeys.$inferSelect
export type ChallengeRow = typeof authChallenges.$inferSelect
export type TotpRow = typeof totpFactors.$inferSelect

/** The kinds of second factors of an account, in one query. */
export async function factorsOf(
  db: Db,
  userId: string,
): Promise<{ totp: boolean; passkey: boolean }> {
  const [row] = await enrolled(db, { userId })
  return row ?? { totp: false, passkey: false }
}

const enrolled = prepared<{ totp: boolean; passkey: boolean }, { userId: string }>(
  ['totp', 'passkey'],
  statement(sql`select
    exists (select 1 from ${totpFactors}
      where user_id = ${sql.placeholder('userId')} and confirmed_at is not null),
    exists (select 1 from ${passkeys} where user_id = ${sql.placeholder('userId')})`),
)

export async function findTotp(db: Db, userId: string): Promise<TotpRow | undefined> {
  const [row] = await db.select().from(totpFactors).where(eq(totpFactors.userId, userId))
  return row
}

/** Replaces an unconfirmed set-up, but never a confirmed authenticator. */
export async function startTotp(db: Db, userId: string, secret: Buffer): Promise<boolean> {
  const rows = await db
    .insert(totpFactors)
    .values({ userId, secret })
    .onConflictDoUpdate({
      target: totpFactors.userId,
      set: { secret, lastStep: 0 },
      setWhere: sql`${totpFactors.confirmedAt} is null`,
    })
    .returning({ userId: totpFactors.userId })
  return rows.length > 0
}

/** Uses a time step; false if it or a later one was used before, which prevents replay. */
export async function takeTotpStep(
  db: Db,
  userId: string,
  step: number,
  confirm: boolean,
): Promise<boolean> {
  const rows = await db
    .update(totpFactors)
    .set({ lastStep: step, ...(confirm && { confirmedAt: sql`now()` }) })
    .where(and(eq(totpFactors.userId, userId), lt(totpFactors.lastStep, step)))
    .returning({ userId: totpFactors.userId })
  return rows.length > 0
}

export async function deleteTotp(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .delete(totpFactors)
    .where(and(eq(totpFactors.userId, userId), isNotNull(totpFactors.confirmedAt)))
    .returning({ userId: totpFactors.userId })
  return rows.length > 0
}

/** Every factor of an account with its recovery codes; false if it had none. */
export async function deleteFactors(db: Db, userId: string): Promise<boolean> {
  const had = await deleteTotp(db, userId)
  const gone = await db
    .delete(passkeys)
    .where(eq(passkeys.userId, userId))
    .returning({ id: passkeys.id })
  await deleteRecoveryCodes(db, userId)
  return had || gone.length > 0
}

export const listPasskeys = (db: Db, userId: string): Promise<PasskeyRow[]> =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(desc(passkeys.id)).limit(50)

export async function insertPasskey(
  db: Db,
  row: typeof passkeys.$inferInsert,
): Promise<PasskeyRow> {
  const [inserted] = await db.insert(passkeys).values(row).returning()
  return inserted as PasskeyRow
}

export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ id: passkeys.id })
  return rows.length > 0
}

export async function usePasskey(db: Db, id: string, counter: number): Promise<void> {
  await db.update(passkeys).set({ counter, lastUsedAt: sql`now()` }).where(eq(passkeys.id, id))
}

export async function replaceRecoveryCodes(
  db: Db,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })))
}

/** Redeems a code; of two concurrent uses only one succeeds. */
export async function takeRecoveryCode(db: Db, userId: string, codeHash: Buffer): Promise<boolean> {
  const rows = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))
    .returning({ userId: recoveryCodes.userId })
  return rows.length > 0
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const rows = await db
    .select({ one: recoveryCodes.userId })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, userId))
  return rows.length
}

export async function insertChallenge(
  db: Db,
  row: typeof authChallenges.$inferInsert,
): Promise<void> {
  await db.insert(authChallenges).values(row)
}

const byToken = (db: Db, tokenHash: Buffer, purpose: ChallengeRow['purpose'], addressKey: string) =>
  db
    .select()
    .from(authChallenges)
    .where(
      and(
        eq(authChallenges.tokenHash, tokenHash),
        eq(authChallenges.purpose, purpose),
        eq(authChallenges.addressKey, addressKey),
        // The wall clock, not now(): waiting for a lock must not extend the validity.
        gt(authChallenges.expiresAt, sql`clock_timestamp()`),
      ),
    )

/** The challenge, unless it is unknown, expired or somebody else's. */
export async function findChallenge(
  ...which: Parameters<typeof byToken>
): Promise<ChallengeRow | undefined> {
  const [row] = await byToken(...which)
  return row
}

/** The same, locked until the transaction ends. */
export async function lockChallenge(
  ...which: Parameters<typeof byToken>
): Promise<ChallengeRow | undefined> {
  const [row] = await byToken(...which).for('update')
  return row
}

export async function setWebauthnChallenge(
  db: Db,
  id: string,
  challenge: string | null,
): Promise<void> {
  await db
    .update(authChallenges)
    .set({ webauthnChallenge: challenge })
    .where(eq(authChallenges.id, id))
}

export async function deleteChallenge(db: Db, id: string): Promise<void> {
  await db.delete(authChallenges).where(eq(authChallenges.id, id))
}

export async function deleteExpiredChallenges(db: Db): Promise<number> {
  const rows = await db
    .delete(authChallenges)
    .where(lt(authChallenges.expiresAt, sql`now()`))
    .returning({ id: authChallenges.id })
  return rows.length
}

/** Failures of the last fifteen minutes, oldest first. */
export async function recentFailures(db: Db, userId: string): Promise<Date[]> {
  const rows = await db
    .select({ at: secondFactorFailures.at })
    .from(secondFactorFailures)
    .where(
      and(
        eq(secondFactorFailures.userId, userId),
        sql`${secondFactorFailures.at} > clock_timestamp() - interval '15 minutes'`,
      ),
    )
    .orderBy(secondFactorFailures.at)
    .limit(10)
  return rows.map((row) => row.at)
}

export async function insertFailure(db: Db, userId: string): Promise<void> {
  await db
    .insert(secondFactorFailures)
    .values({ id: randomUUIDv7(), userId, at: sql`clock_timestamp()` })
}

export async function deleteOldFailures(db: Db): Promise<number> {
  const rows = await db
    .delete(secondFactorFailures)
    .where(sql`${secondFactorFailures.at} < now() - interval '1 hour'`)
    .returning({ id: secondFactorFailures.id })
  return rows.length
}

/** The newest challenge of a kind that this session of the account requested. */
export async function lockOwnChallenge(
  db: Db,
  purpose: 'register_passkey' | 'step_up',
  userId: string,
  sessionId: string,
): Promise<ChallengeRow | undefined> {
  const [row] = await db
    .select()
    .from(authChallenges)
    .where(
      and(
        eq(authChallenges.userId, userId),
        eq(authChallenges.purpose, purpose),
        eq(authChallenges.addressKey, sessionId),
        gt(authChallenges.expiresAt, sql`clock_timestamp()`),
      ),
    )
    .orderBy(desc(authChallenges.id))
    .limit(1)
    .for('update')
  return row
}

export async function deleteRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}
