import { and, asc, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { charges } from './tables.ts'

export type ChargeRow = typeof charges.$inferSelect

const isUnderWay = inArray(charges.state, ['waiting', 'processing'])

export async function insertCharge(db: Db, row: typeof charges.$inferInsert): Promise<void> {
  await db.insert(charges).values(row)
}

/** The latest attempt for each of these invoices. */
export async function lastCharges(
  db: Db,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, ChargeRow>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await db
    .selectDistinctOn([charges.invoiceId])
    .from(charges)
    .where(inArray(charges.invoiceId, [...invoiceIds]))
    .orderBy(charges.invoiceId, desc(charges.attempt))
  return new Map(rows.map((row) => [row.invoiceId, row]))
}

export const ANY_CHARGE = 'select from invoice_charges where next_at <= now()'
const MOST_AT_ONCE = 20

export const dueCharges = (db: Db, now: Date): Promise<{ id: string }[]> =>
  db
    .select({ id: charges.id })
    .from(charges)
    .where(lte(charges.nextAt, now))
    .orderBy(asc(charges.nextAt))
    .limit(MOST_AT_ONCE)

/**
 * Claims a charge that is due until the given time; undefined if another control plane has claimed
 * it.
 */
export async function claimCharge(
  db: Db,
  now: Date,
  id: string,
  until: Date,
): Promise<ChargeRow | undefined> {
  const [row] = await db
    .update(charges)
    .set({ nextAt: until, tries: sql`${charges.tries} + 1` })
    .where(and(eq(charges.id, id), lte(charges.nextAt, now), isUnderWay))
    .returning()
  return row
}

/** Updates a charge that has not ended yet; false if it has. */
export async function updateCharge(
  db: Db,
  id: string,
  change: Partial<ChargeRow>,
): Promise<boolean> {
  const rows = await db
    .update(charges)
    .set(change)
    .where(and(eq(charges.id, id), isUnderWay))
    .returning({ id: charges.id })
  return rows.length > 0
}

/**
 * Called when a provider has reported a payment: if it is a charge, the next look at it is due now.
 * @returns whether it is one
 */
export async function lookAtCharge(
  db: Db,
  now: Date,
  provider: string,
  externalRef: string,
): Promise<boolean> {
  const rows = await db
    .update(charges)
    .set({
      nextAt: sql`case when ${isUnderWay} then ${now.toISOString()}::timestamptz else ${charges.nextAt} end`,
    })
    .where(and(eq(charges.provider, provider), eq(charges.externalRef, externalRef)))
    .returning({ id: charges.id })
  return rows.length > 0
}
