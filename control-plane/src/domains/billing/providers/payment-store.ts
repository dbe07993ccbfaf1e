import { and, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import type { PaymentRow } from '../invoice-store.ts'
import { invoicePayments } from '../tables.ts'

const DAY_MS = 86_400_000
/** How long after a payment banks accept disputes. */
const DISPUTABLE_DAYS = 120
const MOST_AT_ONCE = 50

/** Payments of these providers that were not checked for a day, the longest first. */
export async function paymentsToLookAt(
  db: Db,
  now: Date,
  providers: readonly string[],
): Promise<PaymentRow[]> {
  if (providers.length === 0) return []
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return db
    .select()
    .from(invoicePayments)
    .where(
      and(
        inArray(invoicePayments.provider, [...providers]),
        isNotNull(invoicePayments.externalRef),
        gte(invoicePayments.recordedAt, daysAgo(DISPUTABLE_DAYS)),
        lt(invoicePayments.recordedAt, daysAgo(1)),
        or(isNull(invoicePayments.seenAt), lt(invoicePayments.seenAt, daysAgo(1))),
      ),
    )
    .orderBy(sql`${invoicePayments.seenAt} asc nulls first`)
    .limit(MOST_AT_ONCE)
}

/** Marks a payment as checked; false if another control plane is checking it now. */
export async function seePayment(db: Db, id: string, now: Date): Promise<boolean> {
  const dayAgo = new Date(now.getTime() - DAY_MS)
  const isDue = or(isNull(invoicePayments.seenAt), lt(invoicePayments.seenAt, dayAgo))
  const rows = await db
    .update(invoicePayments)
    .set({ seenAt: now })
    .where(and(eq(invoicePayments.id, id), isDue))
    .returning({ id: invoicePayments.id })
  return rows.length > 0
}
