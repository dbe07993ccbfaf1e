import { and, eq, gt, inArray, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { accountTokens, type TOKEN_PURPOSES } from './tables.ts'

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

/** A new transfer replaces an earlier one. */
export async function deleteTransfers(db: Db): Promise<void> {
  await db.delete(accountTokens).where(eq(accountTokens.purpose, 'team_transfer'))
}
