import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { balanceEntries, invoicePayments, invoiceSeries, invoices, refunds } from './tables.ts'

export type InvoiceRow = typeof invoices.$inferSelect
export type PaymentRow = typeof invoicePayments.$inferSelect

/** The `provider` of a payment from the customer's balance. */
export const FROM_BALANCE = 'balance'

const DIGITS = 6

/**
 * Takes the next number of this year's series, such as `INV-2026-000001`. Locks the series until the
 * transaction ends, so that numbers have no gaps.
 */
export async function nextNumber(db: Db, prefix: string, now: Date): Promise<string> {
  const series = `${prefix}-${now.getUTCFullYear()}`
  const [row] = await db
    .insert(invoiceSeries)
    .values({ name: series, next: 2 })
    .onConflictDoUpdate({
      target: invoiceSeries.name,
      set: { next: sql`${invoiceSeries.next} + 1` },
    })
    .returning()
  return `${series}-${String((row?.next ?? 2) - 1).padStart(DIGITS, '0')}`
}

export async function insertInvoice(
  db: Db,
  row: typeof invoices.$inferInsert,
): Promise<InvoiceRow> {
  const [inserted] = await db.insert(invoices).values(row).returning()
  return inserted as InvoiceRow
}

/** The locale of a customer's latest invoice. */
export async function lastLocale(db: Db, userId: string): Promise<string | null> {
  const [row] = await db
    .select({ locale: invoices.locale })
    .from(invoices)
    .where(eq(invoices.userId, userId))
    .orderBy(desc(invoices.id))
    .limit(1)
  return row?.locale ?? null
}

export async function findInvoice(db: Db, id: string): Promise<InvoiceRow | undefined> {
  const [row] = await db.select().from(invoices).where(eq(invoices.id, id))
  return row
}

export async function updateInvoice(
  db: Db,
  id: string,
  change: Partial<InvoiceRow>,
): Promise<InvoiceRow> {
  const [row] = await db.update(invoices).set(change).where(eq(invoices.id, id)).returning()
  return row as InvoiceRow
}

/** The invoices of a subscription that are not void, the oldest first. */
export const invoicesOf = (db: Db, subscriptionId: string): Promise<InvoiceRow[]> =>
  db
    .select()
    .from(invoices)
    .where(
      and(eq(invoices.subscriptionId, subscriptionId), inArray(invoices.status, ['open', 'paid'])),
    )
    .orderBy(asc(invoices.issuedAt), asc(invoices.id))

const MOST_SHOWN = 100

/** The newest invoices of a customer. */
export const newestInvoices = (db: Db, userId: string): Promise<InvoiceRow[]> =>
  db
    .select()
    .from(invoices)
    .where(eq(invoices.userId, userId))
    .orderBy(desc(invoices.id))
    .limit(MOST_SHOWN)

export async function paymentsOf(db: Db, invoiceIds: readonly string[]): Promise<PaymentRow[]> {
  if (invoiceIds.length === 0) return []
  return db
    .select()
    .from(invoicePayments)
    .where(inArray(invoicePayments.invoiceId, [...invoiceIds]))
    .orderBy(asc(invoicePayments.receivedAt))
}

/** The payments of several invoices in one sum that parts of these payments came from. */
export async function sumsOf(
  db: Db,
  payments: readonly PaymentRow[],
): Promise<ReadonlyMap<string, PaymentRow>> {
  const ids = payments.flatMap(({ sumId }) => sumId ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db.select().from(invoicePayments).where(inArray(invoicePayments.id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

/** What other invoices got of payments in one sum. */
export async function partsOf(db: Db, sumIds: readonly string[]): Promise<PaymentRow[]> {
  if (sumIds.length === 0) return []
  return db
    .select()
    .from(invoicePayments)
    .where(inArray(invoicePayments.sumId, [...sumIds]))
    .orderBy(asc(invoicePayments.id))
}

/** False if the provider's payment is recorded already. */
export async function insertPayment(
  db: Db,
  row: typeof invoicePayments.$inferInsert,
): Promise<boolean> {
  const rows = await db
    .insert(invoicePayments)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: invoicePayments.id })
  return rows.length > 0
}

/** What was refunded of an invoice, or is about to be. */
export async function refundedTotal(db: Db, invoiceId: string): Promise<number> {
  const [row] = await db
    .select({ amount: sql<number>`coalesce(sum(${refunds.amount}), 0)::int8`.mapWith(Number) })
    .from(refunds)
    .where(and(eq(refunds.invoiceId, invoiceId), inArray(refunds.state, ['pending', 'succeeded'])))
  return row?.amount ?? 0
}

/** The balances of a customer, by currency. */
export async function balancesOf(db: Db, userId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({
      currency: balanceEntries.currency,
      amount: sql<number>`sum(${balanceEntries.amount})::int8`.mapWith(Number),
    })
    .from(balanceEntries)
    .where(eq(balanceEntries.userId, userId))
    .groupBy(balanceEntries.currency)
  return new Map(rows.map(({ currency, amount }) => [currency, amount]))
}

export async function addToBalance(db: Db, row: typeof balanceEntries.$inferInsert): Promise<void> {
  await db.insert(balanceEntries).values(row)
}

/** Voids the open invoices of a customer. */
export const voidInvoicesOf = (db: Db, now: Date, userId: string): Promise<{ id: string }[]> =>
  db
    .update(invoices)
    .set({ status: 'void', voidedAt: now })
    .where(and(eq(invoices.userId, userId), eq(invoices.status, 'open')))
    .returning({ id: invoices.id })
