import type { Ctx } from '../../../context.ts'
import { sumOf } from '../invoice-lines.ts'
import { type PaymentRow, paymentsOf } from '../invoice-store.ts'
import { changeBalance } from '../invoices.ts'
import { addTakenBack, lastTakenAt, type TakenBy } from './refund-store.ts'
import type { Taken } from './settle.ts'
import { requireSettled } from './settled.ts'

/**
 * Takes from the customer's balance what went there from a payment and has gone back since: what an
 * invoice did not ask for. The balance may become negative, when it was used meanwhile.
 * @param amount at most so much
 * @returns how much it was
 */
export async function takeFromBalance(
  ctx: Ctx,
  now: Date,
  { user, invoice }: Taken,
  payment: PaymentRow,
  by: TakenBy,
  amount: number,
): Promise<number> {
  const payments = await paymentsOf(ctx.db, [invoice.id])
  const used = invoice.status === 'void' ? 0 : invoice.amountPaid
  const before = payments.reduce((sum, { takenBack }) => sum + takenBack, 0)
  const taken = Math.min(amount, sumOf(payments) - used - before)
  if (taken <= 0 || !user) return 0
  await changeBalance(ctx, now, user.id, invoice, -taken)
  await addTakenBack(ctx.db, payment.id, by, taken)
  return taken
}

/** How much a payment's refunds, or its dispute, took from the balance. */
export const takenBy = (
  { takenBack, takenByDispute }: Pick<PaymentRow, 'takenBack' | 'takenByDispute'>,
  by: TakenBy,
): number => (by === 'dispute' ? takenByDispute : takenBack - takenByDispute)

/**
 * Puts back into the balance what was taken from it, because the money did not go back after all.
 * @throws {NotSettled} ask again later
 */
export async function returnToBalance(
  ctx: Ctx,
  now: Date,
  { user, invoice }: Taken,
  payment: PaymentRow,
  by: TakenBy,
  amount: number,
): Promise<void> {
  const back = Math.min(amount, takenBy(payment, by))
  if (back <= 0 || !user) return
  // How a dispute ended does not change any more.
  if (by === 'refund') requireSettled(now, await lastTakenAt(ctx.db, invoice.id))
  await changeBalance(ctx, now, user.id, invoice, back)
  await addTakenBack(ctx.db, payment.id, by, -back)
}
