import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import type { InvoiceRow } from './invoice-store.ts'
import { invoices, invoicesTogether } from './tables.ts'

/** All open invoices of a customer, the oldest first. */
export const openInvoicesOf = (db: Db, userId: string): Promise<InvoiceRow[]> =>
  db
    .select()
    .from(invoices)
    .where(and(eq(invoices.userId, userId), eq(invoices.status, 'open')))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id))

/** Records that these are to be paid in one sum with the lead invoice. */
export async function keepTogether(
  db: Db,
  leadId: string,
  invoiceIds: readonly string[],
): Promise<void> {
  if (invoiceIds.length === 0) return
  await db
    .insert(invoicesTogether)
    .values(invoiceIds.map((invoiceId) => ({ leadId, invoiceId })))
    .onConflictDoNothing()
}

/** The open invoices that were ever to be paid in one sum with this lead invoice, the oldest first. */
export async function invoicesAskedWith(db: Db, leadId: string): Promise<string[]> {
  const rows = await db
    .select({ id: invoices.id })
    .from(invoicesTogether)
    .innerJoin(invoices, eq(invoices.id, invoicesTogether.invoiceId))
    .where(and(eq(invoicesTogether.leadId, leadId), eq(invoices.status, 'open')))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id))
  return rows.map(({ id }) => id)
}
