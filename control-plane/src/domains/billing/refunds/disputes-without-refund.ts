import type { PaidDispute } from '@lodge/shared/plugins/payment.ts'
import type { Ctx } from '../../../context.ts'
import type { PaymentRow } from '../invoice-store.ts'
import { noteDispute, notedDisputes } from './dispute-note-store.ts'
import { lift, suspendPaid } from './disputed-servers.ts'
import { paidBy } from './refund-store.ts'
import { type Taken, tellHost } from './settle.ts'

const subscriptionsOf = async (ctx: Ctx, payment: PaymentRow): Promise<string[]> => {
  const ids = (await paidBy(ctx.db, payment.id)).map(({ subscriptionId }) => subscriptionId)
  return [...new Set(ids.filter((id) => id !== null))]
}

/** Whether such a dispute of a payment is known already. */
export async function isNoted(ctx: Ctx, payment: PaymentRow, ref: string): Promise<boolean> {
  const ids = await subscriptionsOf(ctx, payment)
  for (const state of ['open', 'lost'] as const)
    if ((await notedDisputes(ctx.db, payment.id, ids, state)).includes(ref)) return true
  return false
}

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
  { ref, state, reason, amount }: PaidDispute,
  rest: number,
): Promise<void> {
  const ids = await subscriptionsOf(ctx, payment)
  if (ids.length === 0) return
  const about = { id: `${payment.id} ${ref}`, amount, reason }
  const wasOpen = (await notedDisputes(ctx.db, payment.id, ids, 'open')).includes(ref)
  const wasLost = (await notedDisputes(ctx.db, payment.id, ids, 'lost')).includes(ref)
  const isKnown = wasOpen || wasLost
  if (state === 'won') {
    if (isKnown) await ended(ctx, now, { invoice }, payment, ids, about, ref)
    return
  }
  if (!isKnown && rest <= 0) return
  if (!isKnown) {
    await noteDispute(ctx.db, now, payment, ids, ref, 'open')
    await suspendPaid(ctx, payment.id)
    await tellHost(ctx, invoice, about, 'dispute_opened')
  }
  if (state !== 'lost' || wasLost) return
  await noteDispute(ctx.db, now, payment, ids, ref, 'lost')
  await tellHost(ctx, invoice, about, 'balance_dispute_lost')
}

/** Ends the noted disputes of a payment that its provider no longer lists. */
export async function endUnlisted(
  ctx: Ctx,
  now: Date,
  about: Taken,
  payment: PaymentRow,
  listed: readonly PaidDispute[],
): Promise<void> {
  const ids = await subscriptionsOf(ctx, payment)
  for (const ref of await notedDisputes(ctx.db, payment.id, ids, 'open'))
    if (!listed.some((one) => one.ref === ref)) {
      const said = { id: `${payment.id} ${ref}`, amount: payment.amount, reason: '' }
      await ended(ctx, now, about, payment, ids, said, ref)
    }
}

async function ended(
  ctx: Ctx,
  now: Date,
  { invoice }: Pick<Taken, 'invoice'>,
  payment: PaymentRow,
  ids: readonly string[],
  about: { id: string; amount: number; reason: string },
  ref: string,
): Promise<void> {
  await noteDispute(ctx.db, now, payment, ids, ref, undefined)
  await lift(ctx, payment.id)
  await tellHost(ctx, invoice, about, 'dispute_won')
}
