import { randomUUIDv7 } from 'node:crypto'
import { and, asc, eq, lt, max, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import type { PaymentRow } from '../invoice-store.ts'
import { balanceEntries, takenBackEntries as entries, invoicePayments, refunds } from '../tables.ts'

/** Stands for an unknown dispute: an earlier release recorded only that there was one. */
const SOME_DISPUTE = ''

/** When the balance was last reduced because payments of an invoice were taken back. */
export async function lastTakenAt(db: Db, invoiceId: string): Promise<Date | null> {
  const [row] = await db
    .select({ at: max(balanceEntries.createdAt) })
    .from(balanceEntries)
    .where(and(eq(balanceEntries.invoiceId, invoiceId), lt(balanceEntries.amount, 0)))
  return row?.at ?? null
}

/**
 * Adds to what was taken back of a payment, or subtracts if the amount is negative; the payment is
 * locked.
 * @param dispute that took it; null if it was a refund
 */
export async function addTakenBack(
  db: Db,
  at: Date,
  paymentId: string,
  dispute: string | null,
  amount: number,
): Promise<void> {
  await insertEntry(db, at, paymentId, dispute, amount)
  await db
    .update(invoicePayments)
    .set({
      takenBack: sql`${invoicePayments.takenBack} + ${amount}`,
      ...(dispute !== null && {
        takenByDispute: sql`${invoicePayments.takenByDispute} + ${amount}`,
      }),
    })
    .where(eq(invoicePayments.id, paymentId))
}

const insertEntry = async (
  db: Db,
  at: Date,
  paymentId: string,
  dispute: string | null,
  amount: number,
): Promise<void> => {
  await db.insert(entries).values({ id: randomUUIDv7(), paymentId, dispute, amount, at })
}

/**
 * How much a dispute took of a payment. Amounts recorded without a dispute belong to the first one
 * that was lost, or to this one if there is none.
 */
export async function takenByDispute(db: Db, payment: PaymentRow, ref: string): Promise<number> {
  await noteTakenBack(db, payment)
  const [first] = await db
    .select({ ref: refunds.externalRef })
    .from(refunds)
    .where(
      and(
        eq(refunds.paymentId, payment.id),
        eq(refunds.way, 'dispute'),
        eq(refunds.state, 'succeeded'),
      ),
    )
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
    .limit(1)
  await db
    .update(entries)
    .set({ dispute: first?.ref ?? ref })
    .where(and(eq(entries.paymentId, payment.id), eq(entries.dispute, SOME_DISPUTE)))
  return sumOfEntries(db, payment.id, eq(entries.dispute, ref))
}

/**
 * Adds entries for what the previous release took back of a payment, during the upgrade or long
 * before; the payment is locked.
 * @returns how many
 */
export async function noteTakenBack(db: Db, payment: PaymentRow): Promise<number> {
  const { id, invoiceId, takenBack, takenByDispute } = payment
  const byRefunds = await sumOfEntries(db, id, sql`${entries.dispute} is null`)
  const byDisputes = await sumOfEntries(db, id, sql`${entries.dispute} is not null`)
  const missing = [
    [null, takenBack - takenByDispute - byRefunds],
    [SOME_DISPUTE, takenByDispute - byDisputes],
  ] as const
  let added = 0
  for (const [dispute, amount] of missing) {
    if (amount === 0) continue
    const at = (await lastTakenAt(db, invoiceId)) ?? payment.seenAt ?? payment.recordedAt
    await insertEntry(db, at, id, dispute, amount)
    added += 1
  }
  return added
}

async function sumOfEntries(
  db: Db,
  paymentId: string,
  which: ReturnType<typeof sql>,
): Promise<number> {
  const [row] = await db
    .select({ amount: sql<number>`coalesce(sum(${entries.amount}), 0)::int8`.mapWith(Number) })
    .from(entries)
    .where(and(eq(entries.paymentId, paymentId), which))
  return row?.amount ?? 0
}

/** Payments whose entries do not add up to what was taken back of them. */
export async function paymentsWithoutEntries(db: Db, most: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with noted as materialized (
      select payment_id, sum(amount) as amount, sum(amount) filter (where dispute is not null) as disputed
      from taken_back_entries group by payment_id
    ), taken as materialized (
      select id, taken_back, taken_by_dispute from invoice_payments where taken_back <> 0
    )
    select coalesce(taken.id, noted.payment_id) as id
    from taken full join noted on noted.payment_id = taken.id
    where coalesce(taken.taken_back, 0) <> coalesce(noted.amount, 0)
      or coalesce(taken.taken_by_dispute, 0) <> coalesce(noted.disputed, 0)
    limit ${most}`)
  return rows.map(({ id }) => id)
}
