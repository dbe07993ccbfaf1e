import { and, eq, or } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { disputesWithoutRefund, invoicePayments, invoices } from '../tables.ts'

type Noted = (typeof disputesWithoutRefund.$inferSelect)['state']

/** The disputes of a payment for which no refund stands, by the provider's reference. */
export async function notedDisputes(db: Db, paymentId: string): Promise<Map<string, Noted>> {
  const rows = await db
    .select()
    .from(disputesWithoutRefund)
    .where(eq(disputesWithoutRefund.paymentId, paymentId))
  return new Map(rows.map(({ externalRef, state }) => [externalRef, state]))
}

/** Notes the state of a dispute for which no refund stands. */
export async function noteDispute(
  db: Db,
  since: Date,
  paymentId: string,
  externalRef: string,
  state: Noted,
): Promise<void> {
  await db
    .insert(disputesWithoutRefund)
    .values({ paymentId, externalRef, state, since })
    .onConflictDoUpdate({
      target: [disputesWithoutRefund.paymentId, disputesWithoutRefund.externalRef],
      set: { state },
    })
}

export async function forgetDispute(db: Db, paymentId: string, externalRef: string): Promise<void> {
  await db
    .delete(disputesWithoutRefund)
    .where(
      and(
        eq(disputesWithoutRefund.paymentId, paymentId),
        eq(disputesWithoutRefund.externalRef, externalRef),
      ),
    )
}

/** Whether such a dispute of what was paid for a subscription, also in a sum with others, is in this state. */
export async function hasNote(db: Db, subscriptionId: string, state: Noted): Promise<boolean> {
  const rows = await db
    .select({ ref: disputesWithoutRefund.externalRef })
    .from(disputesWithoutRefund)
    .innerJoin(
      invoicePayments,
      or(
        eq(invoicePayments.id, disputesWithoutRefund.paymentId),
        eq(invoicePayments.sumId, disputesWithoutRefund.paymentId),
      ),
    )
    .innerJoin(invoices, eq(invoices.id, invoicePayments.invoiceId))
    .where(and(eq(invoices.subscriptionId, subscriptionId), eq(disputesWithoutRefund.state, state)))
    .limit(1)
  return rows.length > 0
}
