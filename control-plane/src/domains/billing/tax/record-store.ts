import { and, asc, desc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { invoices } from '../tables.ts'
import { taxRecords } from './tables.ts'

export type TaxRecordRow = typeof taxRecords.$inferSelect

/** The record of an invoice's sale, locked; undefined if its tax plugin records none. */
export async function lockSale(db: Db, invoiceId: string): Promise<TaxRecordRow | undefined> {
  const [row] = await db
    .select()
    .from(taxRecords)
    .where(and(eq(taxRecords.invoiceId, invoiceId), eq(taxRecords.kind, 'sale')))
    .for('update')
  return row
}

/** How much of a sale is credited, or will be. */
export async function givenBackOf(db: Db, invoiceId: string): Promise<number> {
  const [row] = await db
    .select({ sum: sql<number>`coalesce(sum(${taxRecords.amount}), 0)::int8`.mapWith(Number) })
    .from(taxRecords)
    .where(and(eq(taxRecords.invoiceId, invoiceId), eq(taxRecords.kind, 'reversal')))
  return row?.sum ?? 0
}

export async function insertRecord(db: Db, row: typeof taxRecords.$inferInsert): Promise<void> {
  await db.insert(taxRecords).values(row).onConflictDoNothing()
}

/** The sale that a reversal credits. */
export async function saleOf(db: Db, invoiceId: string): Promise<TaxRecordRow | undefined> {
  const [row] = await db
    .select()
    .from(taxRecords)
    .where(and(eq(taxRecords.invoiceId, invoiceId), eq(taxRecords.kind, 'sale')))
  return row
}

export async function deleteRecord(db: Db, id: string): Promise<void> {
  await db.delete(taxRecords).where(eq(taxRecords.id, id))
}

export async function updateRecord(
  db: Db,
  id: string,
  change: Partial<TaxRecordRow>,
): Promise<void> {
  await db.update(taxRecords).set(change).where(eq(taxRecords.id, id))
}

const causedBy = (causeId: string) =>
  and(eq(taxRecords.causeId, causeId), eq(taxRecords.kind, 'reversal'))

/** Makes the reversals that waited for this cause due now. */
export async function releaseReversals(db: Db, now: Date, causeId: string): Promise<void> {
  await db
    .update(taxRecords)
    .set({ nextAt: now })
    .where(and(causedBy(causeId), eq(taxRecords.attempts, 0), isNull(taxRecords.externalRef)))
}

/**
 * Drops the reversals of a cause that were not attempted yet. @returns those for which it is too late
 */
export async function dropReversals(db: Db, causeId: string): Promise<TaxRecordRow[]> {
  await db.delete(taxRecords).where(and(causedBy(causeId), eq(taxRecords.attempts, 0)))
  return db.select().from(taxRecords).where(causedBy(causeId))
}

export const ANY_TAX_RECORD = 'select from tax_records where next_at <= now()'
const MOST_AT_ONCE = 20

/** Due records; sales come before their reversals. */
export const dueRecords = (db: Db, now: Date): Promise<{ id: string }[]> =>
  db
    .select({ id: taxRecords.id })
    .from(taxRecords)
    .where(lte(taxRecords.nextAt, now))
    .orderBy(desc(taxRecords.kind), asc(taxRecords.nextAt))
    .limit(MOST_AT_ONCE)

/**
 * Claims a record that is due until the given time; undefined if another control plane has claimed
 * it.
 */
export async function claimRecord(
  db: Db,
  now: Date,
  id: string,
  until: Date,
): Promise<TaxRecordRow | undefined> {
  const [row] = await db
    .update(taxRecords)
    .set({ nextAt: until, attempts: sql`${taxRecords.attempts} + 1` })
    .where(and(eq(taxRecords.id, id), lte(taxRecords.nextAt, now)))
    .returning()
  return row
}

/** Makes failed records due now, for example after a change of settings. */
export async function tryAgain(db: Db, now: Date): Promise<void> {
  await db
    .update(taxRecords)
    .set({ nextAt: now })
    .where(and(isNotNull(taxRecords.failure), isNotNull(taxRecords.nextAt)))
}

const MOST_SHOWN = 100

/** Records that a tax plugin did not accept at the first attempt, the oldest first. */
export const listUnrecorded = (db: Db) =>
  db
    .select({
      ...{ id: taxRecords.id, kind: taxRecords.kind, reference: taxRecords.reference },
      ...{ invoiceId: taxRecords.invoiceId, number: invoices.number, buyer: invoices.buyer },
      ...{ at: taxRecords.at, tries: taxRecords.attempts, failure: taxRecords.failure },
      ...{ nextAt: taxRecords.nextAt, count: sql<number>`count(*) over ()::int` },
    })
    .from(taxRecords)
    .innerJoin(invoices, eq(invoices.id, taxRecords.invoiceId))
    .where(and(gt(taxRecords.attempts, 0), isNotNull(taxRecords.failure)))
    .orderBy(asc(taxRecords.at), asc(taxRecords.id))
    .limit(MOST_SHOWN)
