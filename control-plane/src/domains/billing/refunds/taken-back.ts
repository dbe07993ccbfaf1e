import type { Ctx } from '../../../context.ts'
import { sumOf } from '../invoice-lines.ts'
import { type PaymentRow, partsOf, paymentsOf, updateInvoice } from '../invoice-store.ts'
import { changeBalance } from '../invoices.ts'
import { refundsAround } from './refund-store.ts'
import type { Taken } from './settle.ts'
import { requireSettled } from './settled.ts'
import { addTakenBack, lastTakenAt } from './taken-back-store.ts'
import { creditedOf, refundedElsewhere } from './what-is-left.ts'

/**
 * Takes from a customer's balance what a payment had added there and has been taken back since. The
 * balance may become negative if it was used meanwhile; that of a deleted customer no longer exists.
 * @param dispute that took it; null if it was a refund
 * @param amount the most to take
 * @param from `unasked`: only what the invoice did not ask for; `all`: also what was refunded to the
 * balance, or credited there by a change of plan
 * @returns how much was taken
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
  const refunds = await refundsAround(ctx.db, [invoice.id])
  const credited = from === 'all' ? creditedOf(refunds, invoice.id) + invoice.amountCredited : 0
  // What paid other invoices in one sum with this one is no longer in hand, or went back for them.
  const elsewhere =
    from === 'all'
      ? refundedElsewhere(payments, refunds, invoice.id)
      : sumOf(
          await partsOf(
            ctx.db,
            payments.map(({ id }) => id),
          ),
        )
  const used = invoice.status === 'void' ? 0 : invoice.amountPaid
  const before = payments.reduce((sum, { takenBack }) => sum + takenBack, 0)
  const inHand = sumOf(payments) - used + credited - before - elsewhere
  const missing = from === 'all' ? amount - Math.max(0, inHand) : 0
  const freed = missing > 0 ? await unapply(ctx, now, { user, invoice }, missing) : 0
  const taken = Math.min(amount, inHand + freed)
  if (taken <= 0) return 0
  if (user) await changeBalance(ctx, now, user.id, invoice, -taken)
  await addTakenBack(ctx.db, now, payment.id, dispute, taken)
  return taken
}

/** Moves what was paid of an open invoice to the balance: the invoice is due in full again. */
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
 * Returns to the balance what was taken from it, because the money did not go back after all.
 * @param dispute that took it; null if it was a refund
 * @param amount to return, at most what that took
 * @throws {NotSettled} try again later
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
  // The result of a dispute is final.
  if (dispute === null) requireSettled(now, await lastTakenAt(ctx.db, invoice.id))
  if (user) await changeBalance(ctx, now, user.id, invoice, amount)
  await addTakenBack(ctx.db, now, payment.id, dispute, -amount)
}
