import { and, eq, gt, gte, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { formerAddresses } from './tables.ts'

export type FormerAddress = typeof formerAddresses.$inferSelect

const live = gt(formerAddresses.expiresAt, sql`clock_timestamp()`)

export async function insertFormerAddress(db: Db, row: FormerAddress): Promise<void> {
  await db.insert(formerAddresses).values(row)
}

export async function findFormerAddress(
  db: Db,
  tokenHash: Buffer,
): Promise<FormerAddress | undefined> {
  const [row] = await db
    .select()
    .from(formerAddresses)
    .where(and(eq(formerAddresses.tokenHash, tokenHash), live))
  return row
}

/**
 * Takes an address back, and invalidates every address the account has had since: an intruder who
 * changed it again must not undo the undoing. Earlier addresses can still be taken back.
 */
export async function takeFormerAddress(
  db: Db,
  tokenHash: Buffer,
): Promise<FormerAddress | undefined> {
  const [row] = await db
    .delete(formerAddresses)
    .where(and(eq(formerAddresses.tokenHash, tokenHash), live))
    .returning()
  if (!row) return undefined
  await db
    .delete(formerAddresses)
    .where(and(eq(formerAddresses.userId, row.userId), gte(formerAddresses.id, row.id)))
  return row
}

/** Ends every right of an account to take an earlier address back. */
export async function deleteFormerAddressesOf(db: Db, userId: string): Promise<void> {
  await db.delete(formerAddresses).where(eq(formerAddresses.userId, userId))
}

/** Whether somebody else may still take this address back. The database then refuses it too. */
export async function isReserved(db: Db, email: string, exceptFor?: string): Promise<boolean> {
  const rows = await db
    .select({ id: formerAddresses.id })
    .from(formerAddresses)
    .where(
      and(
        eq(formerAddresses.email, email),
        live,
        exceptFor === undefined ? undefined : ne(formerAddresses.userId, exceptFor),
      ),
    )
    .limit(1)
  return rows.length > 0
}

export async function deleteExpiredFormerAddresses(db: Db): Promise<number> {
  const rows = await db
    .delete(formerAddresses)
    .where(lt(formerAddresses.expiresAt, sql`now()`))
    .returning({ id: formerAddresses.id })
  return rows.length
}
