import type { TaxQuote } from '@lodge/shared/plugins/tax.ts'
import { and, eq, gt, lt } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { taxQuotes } from './tables.ts'

/** What was answered to the same question and still holds. */
export async function findQuote(
  db: Db,
  now: Date,
  fingerprint: string,
): Promise<TaxQuote['taxes'] | undefined> {
  const [row] = await db
    .select({ taxes: taxQuotes.taxes })
    .from(taxQuotes)
    .where(and(eq(taxQuotes.fingerprint, fingerprint), gt(taxQuotes.expiresAt, now)))
  return row?.taxes
}

/** Stores an answer, unless one to the same question holds: what somebody was shown stays. */
export async function storeQuote(
  db: Db,
  now: Date,
  row: typeof taxQuotes.$inferInsert,
): Promise<void> {
  const { taxes, expiresAt } = row
  await db
    .insert(taxQuotes)
    .values(row)
    .onConflictDoUpdate({
      target: taxQuotes.fingerprint,
      set: { taxes, expiresAt },
      setWhere: lt(taxQuotes.expiresAt, now),
    })
  await db.delete(taxQuotes).where(lt(taxQuotes.expiresAt, now))
}
