import type { Ctx } from '../../../context.ts'
import { sumOf } from '../invoice-lines.ts'
import { type PaymentRow, paymentsOf, updateInvoice } from '../invoice-store.ts'
import { changeBalance } from '../invoices.ts'
import { type RefundRow, refundsOf } from './refund-store.ts'
import type { Taken } from './settle.ts'
import { requireSettled } from './settled.ts'
import { addTakenBack, lastTakenAt } from './taken-back-store.ts'
import { creditedOf } from './what-is-left.ts'

/**
 * Takes from the customer's balance what went there from a payment and has gone back since. The balance
 * may become negative, when it was used meanwhile; that of a customer who is gone is no more.
 * @param dispute what took it; null if it was a refund
 * @param amount at most so much
 * @param from `unasked`: what an invoice did not ask for; `all`: what was refunded to the balance, too
 * @returns how much it was
 */
export async function takeFromBalance(
  ctx: Ctx,
  now: Date,
  { user, invoice }: Taken,
  payment: PaymentRow,
  dispute: string | null,
  amount: number,
  from: 'unasked' | 'all' = 'all',
): Promise<number> {
  const payments = await paymentsOf(ctx.db, [invoice.id])
  const refunds: RefundRow[] = from === 'all' ? await refundsOf(ctx.db, [invoice.id]) : []
  const used = invoice.status === 'void' ? 0 : invoice.amountPaid
  const before = payments.reduce((sum, { takenBack }) => sum + takenBack, 0)
  const inHand = sumOf(payments) - used + creditedOf(refunds, invoice.id) - before
  const missing = from === 'all' ? amount - Math.max(0, inHand) : 0
  const freed = missing > 0 ? await unapply(ctx, now, { user, invoice }, missing) : 0
  const taken = Math.min(amount, inHand + freed)
  if (taken <= 0) return 0
  if (user) await changeBalance(ctx, now, user.id, invoice, -taken)
  await addTakenBack(ctx.db, now, payment.id, dispute, taken)
  return taken
}

/** What was paid of an invoice that is still open goes to the balance: the invoice asks for it again. */
async function unapply(
  ctx: Ctx,
  now: Date,
  { user, invoice }: Taken,
  most: number,
): Promise<number> {
  const freed = invoice.status === 'open' ? Math.min(most, invoice.amountPaid) : 0
  if (freed <= 0) return 0
  const amountPaid = invoice.amountPaid - freed
  await updateInvoice(ctx.db, invoice.id, { amountPaid })
  if (user) await changeBalance(ctx, now, user.id, invoice, freed)
  return freed
}

/** How much a payment's refunds took from the balance. */
export const takenByRefunds = ({
  takenBack,
  takenByDispute,
}: Pick<PaymentRow, 'takenBack' | 'takenByDispute'>): number => takenBack - takenByDispute

/**
 * Puts back into the balance what was taken from it, because the money did not go back after all.
 * @param dispute what took it; null if it was a refund
 * @param amount no more than that took
 * @throws {NotSettled} ask again later
 */
export async function returnToBalance(
  ctx: Ctx,
  now: Date,
  { user, invoice }: Taken,
  payment: PaymentRow,
  dispute: string | null,
  amount: number,
): Promise<void> {
  if (amount <= 0) return
  // How a dispute ended does not change any more.
  if (dispute === null) requireSettled(now, await lastTakenAt(ctx.db, invoice.id))
  if (user) await changeBalance(ctx, now, user.id, invoice, amount)
  await addTakenBack(ctx.db, now, payment.id, dispute, -amount)
}
