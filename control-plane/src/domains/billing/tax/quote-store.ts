import type { TaxQuote } from '@lodge/shared/plugins/tax.ts'
import { and, eq, gt, lt } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { taxQuotes } from './tables.ts'

/** A stored quote for the same request that has not expired. */
export async function findQuote(
  db: Db,
  now: Date,
  fingerprint: string,
): Promise<{ taxes: TaxQuote['taxes']; ref: string | null } | undefined> {
  const [row] = await db
    .select({ taxes: taxQuotes.taxes, ref: taxQuotes.ref })
    .from(taxQuotes)
    .where(and(eq(taxQuotes.fingerprint, fingerprint), gt(taxQuotes.expiresAt, now)))
  return row
}

/** Deletes a quote, because its provider turns it into one sale: no other invoice may use it. */
export async function useUp(db: Db, fingerprint: string): Promise<void> {
  await db.delete(taxQuotes).where(eq(taxQuotes.fingerprint, fingerprint))
}

/**
 * Stores a quote, unless one for the same request is still valid: a total that somebody has seen
 * stays.
 */
export async function storeQuote(
  db: Db,
  now: Date,
  row: typeof taxQuotes.$inferInsert,
): Promise<void> {
  const { taxes, ref, expiresAt } = row
  await db
    .insert(taxQuotes)
    .values(row)
    .onConflictDoUpdate({
      target: taxQuotes.fingerprint,
      set: { taxes, ref, expiresAt },
      setWhere: lt(taxQuotes.expiresAt, now),
    })
  await db.delete(taxQuotes).where(lt(taxQuotes.expiresAt, now))
}
