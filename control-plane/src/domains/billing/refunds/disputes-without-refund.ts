import type { PaidDispute } from '@lodge/shared/plugins/payment.ts'
import type { Ctx } from '../../../context.ts'
import type { PaymentRow } from '../invoice-store.ts'
import { forgetDispute, noteDispute, notedDisputes } from './dispute-note-store.ts'
import { lift, suspendPaid } from './disputed-servers.ts'
import { type Taken, tellHost } from './settle.ts'

/** Whether such a dispute of a payment is known already. */
export const isNoted = async (ctx: Ctx, { id }: PaymentRow, ref: string): Promise<boolean> =>
  (await notedDisputes(ctx.db, id)).has(ref)

/**
 * Takes over a dispute of money of which no invoice has anything left, because it went to the customer's
 * balance or back to them: no refund stands for it, but the host learns of it, and servers are off as with
 * any other.
 * @param rest what of it was not taken from the balance yet
 */
export async function takeWithoutRefund(
  ctx: Ctx,
  now: Date,
  { invoice }: Taken,
  payment: PaymentRow,
  dispute: PaidDispute,
  rest: number,
): Promise<void> {
  const { ref, state } = dispute
  const known = (await notedDisputes(ctx.db, payment.id)).get(ref)
  if (state === 'won') {
    if (known) await ended(ctx, { invoice }, payment, dispute)
    return
  }
  if (!known && rest <= 0) return
  const about = aboutOf(payment, dispute)
  if (!known) {
    await noteDispute(ctx.db, now, payment.id, ref, 'open')
    await suspendPaid(ctx, payment.id)
    await tellHost(ctx, invoice, about, 'dispute_opened')
  }
  if (state !== 'lost' || known === 'lost') return
  await noteDispute(ctx.db, now, payment.id, ref, 'lost')
  await tellHost(ctx, invoice, about, 'balance_dispute_lost')
}

/** Ends the open ones of a payment that its provider no longer lists. */
export async function endUnlisted(
  ctx: Ctx,
  about: Taken,
  payment: PaymentRow,
  listed: readonly PaidDispute[],
): Promise<void> {
  for (const [ref, state] of await notedDisputes(ctx.db, payment.id))
    if (state === 'open' && !listed.some((one) => one.ref === ref))
      await ended(ctx, about, payment, { ref, amount: payment.amount, reason: '' })
}

type Named = Pick<PaidDispute, 'ref' | 'amount' | 'reason'>

async function ended(
  ctx: Ctx,
  { invoice }: Pick<Taken, 'invoice'>,
  payment: PaymentRow,
  dispute: Named,
): Promise<void> {
  await forgetDispute(ctx.db, payment.id, dispute.ref)
  await lift(ctx, payment.id)
  await tellHost(ctx, invoice, aboutOf(payment, dispute), 'dispute_won')
}

const aboutOf = ({ id }: PaymentRow, { ref, amount, reason }: Named) => ({
  ...{ id: `${id} ${ref}`, amount, reason },
})
