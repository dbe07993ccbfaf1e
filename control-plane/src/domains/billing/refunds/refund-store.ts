import { and, asc, eq, inArray, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import type { InvoiceRow, PaymentRow } from '../invoice-store.ts'
import { invoicePayments, invoices, refunds } from '../tables.ts'
import { hasNote } from './dispute-note-store.ts'

export type RefundRow = typeof refunds.$inferSelect

/** An invoice, locked until the transaction ends; lock its customer and its subscription first. */
export async function lockInvoice(db: Db, id: string): Promise<InvoiceRow | undefined> {
  const [row] = await db.select().from(invoices).where(eq(invoices.id, id)).for('update')
  return row
}

export async function refundsOf(db: Db, invoiceIds: readonly string[]): Promise<RefundRow[]> {
  if (invoiceIds.length === 0) return []
  return db
    .select()
    .from(refunds)
    .where(inArray(refunds.invoiceId, [...invoiceIds]))
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
}

/**
 * The refunds of these invoices, and those of other invoices that went through the same payments in one
 * sum.
 */
export const refundsAround = (db: Db, invoiceIds: readonly string[]): Promise<RefundRow[]> =>
  db
    .select()
    .from(refunds)
    .where(
      or(
        inArray(refunds.invoiceId, [...invoiceIds]),
        sql`${refunds.paymentId} = any(array(
          select coalesce(${invoicePayments.sumId}, ${invoicePayments.id}) from ${invoicePayments}
          where ${inArray(invoicePayments.invoiceId, [...invoiceIds])}))`,
      ),
    )
    .orderBy(asc(refunds.createdAt), asc(refunds.id))

export async function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  const [row] = await db.select().from(refunds).where(eq(refunds.id, id))
  return row
}

export async function insertRefund(db: Db, row: typeof refunds.$inferInsert): Promise<RefundRow> {
  const [inserted] = await db.insert(refunds).values(row).returning()
  return inserted as RefundRow
}

export async function updateRefund(
  db: Db,
  id: string,
  change: Partial<RefundRow>,
): Promise<RefundRow> {
  const [row] = await db.update(refunds).set(change).where(eq(refunds.id, id)).returning()
  return row as RefundRow
}

export async function findPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  const [row] = await db.select().from(invoicePayments).where(eq(invoicePayments.id, id))
  return row
}

/** The payments of invoices that a refund or dispute concerns: its own, and the parts of a sum. */
const concerned = or(
  eq(invoicePayments.id, refunds.paymentId),
  eq(invoicePayments.sumId, refunds.paymentId),
)

/** Whether a payment for a subscription is in an open dispute, also one of several invoices in one sum. */
export async function isDisputed(db: Db, subscriptionId: string): Promise<boolean> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .innerJoin(invoicePayments, concerned)
    .innerJoin(invoices, eq(invoices.id, invoicePayments.invoiceId))
    .where(
      and(
        eq(invoices.subscriptionId, subscriptionId),
        eq(refunds.way, 'dispute'),
        eq(refunds.state, 'pending'),
      ),
    )
    .limit(1)
  return rows.length > 0 || hasNote(db, subscriptionId, 'open')
}

/** Whether a payment of an invoice was lost in a dispute and not returned. */
export async function wasLost(db: Db, invoiceId: string): Promise<boolean> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .innerJoin(invoicePayments, concerned)
    .where(
      and(
        eq(invoicePayments.invoiceId, invoiceId),
        eq(refunds.way, 'dispute'),
        eq(refunds.state, 'succeeded'),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** The invoices that a payment paid, several if it was one sum, with their subscriptions. */
export const paidBy = (
  db: Db,
  paymentId: string,
): Promise<{ id: string; subscriptionId: string | null }[]> =>
  db
    .selectDistinctOn([invoices.id], {
      id: invoices.id,
      subscriptionId: invoices.subscriptionId,
    })
    .from(invoicePayments)
    .innerJoin(invoices, eq(invoices.id, invoicePayments.invoiceId))
    .where(or(eq(invoicePayments.id, paymentId), eq(invoicePayments.sumId, paymentId)))
    .orderBy(asc(invoices.id))

/** A payment, locked until the transaction ends; lock its invoice first. */
export async function lockPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(invoicePayments)
    .where(eq(invoicePayments.id, id))
    .for('no key update')
  return row
}

/** A payment by its provider's reference. */
export async function paymentNamed(
  db: Db,
  provider: string,
  externalRef: string,
): Promise<PaymentRow | undefined> {
  const [row] = await db
    .select()
    .from(invoicePayments)
    .where(
      and(eq(invoicePayments.provider, provider), eq(invoicePayments.externalRef, externalRef)),
    )
  return row
}

export const ANY_REFUND = 'select from refunds where next_at <= now()'
const MOST_AT_ONCE = 20

export const dueRefunds = (db: Db, now: Date): Promise<RefundRow[]> =>
  db
    .select()
    .from(refunds)
    .where(lte(refunds.nextAt, now))
    .orderBy(asc(refunds.nextAt))
    .limit(MOST_AT_ONCE)
