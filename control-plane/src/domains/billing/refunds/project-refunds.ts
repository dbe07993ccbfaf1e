import { randomUUIDv7 } from 'node:crypto'
import { taxInRefund } from '@lodge/shared/billing/refunds.ts'
import type { Ctx } from '../../../context.ts'
import { sumOf } from '../invoice-lines.ts'
import { balancesOf, findInvoice, type PaymentRow, partsOf } from '../invoice-store.ts'
import { lockForRefund } from './refund.ts'
import {
  insertRefund,
  lockPayment,
  paymentNamed,
  type RefundRow,
  refundsAround,
} from './refund-store.ts'
import { aboutOf, reverse, succeed, type Taken, tellHost } from './settle.ts'
import { requireSettled } from './settled.ts'
import { returnToBalance, takeFromBalance, takenByRefunds } from './taken-back.ts'
import { grossOf, leftAtProvider, leftOf, refundedOf } from './what-is-left.ts'

/**
 * Takes over the refunded total of a payment from its provider. Settles the pending refunds that it
 * contains; anything beyond was refunded on the provider's own pages and gets a credit note as well. If
 * the total is lower than before, the provider reversed refunds, the newest first.
 * @throws {NotSettled} fetch again later
 */
export async function takeRefunded(
  ctx: Ctx,
  now: Date,
  provider: string,
  ref: string,
  refunded: number,
): Promise<void> {
  const payment = await paymentNamed(ctx.db, provider, ref)
  const found = payment && (await findInvoice(ctx.db, payment.invoiceId))
  if (!payment || !found) return
  await ctx.transaction(async (ctx) => {
    const about = await lockForRefund(ctx, found)
    const { user, invoice } = about
    const locked = await lockPayment(ctx.db, payment.id)
    if (!locked) return
    const all = await refundsAround(ctx.db, [invoice.id])
    const back = all.filter(({ paymentId, way }) => paymentId === payment.id && way === 'provider')
    const done = back.filter(({ state }) => state === 'succeeded')
    let rest = refunded - sumOf(done) - takenByRefunds(locked)
    if (rest < 0) {
      const left = await reversed(ctx, now, about, done, -rest)
      return returnToBalance(
        ...([ctx, now, about, locked] as const),
        ...([null, Math.min(left, takenByRefunds(locked))] as const),
      )
    }
    const pending = back.filter(({ state }) => state === 'pending')
    const settles = settledBy(rest, pending)
    rest -= sumOf(settles)
    for (const row of settles) await succeed(ctx, now, await aboutOf(ctx, about, row), row)
    // The rest may be the first part of a pending refund.
    if (settles.length < pending.length || rest === 0) return
    const inHand = user ? (await balancesOf(ctx.db, user.id)).get(invoice.currency) : undefined
    const fromHand = Math.min(rest, Math.max(0, inHand ?? 0))
    rest -= await takeFromBalance(ctx, now, about, locked, null, fromHand, 'unasked')
    rest -= await refundedOutside(ctx, now, about, locked, all, rest)
    // Then the invoices that it paid in one sum with this one, as far as it did.
    for (const part of await partsOf(ctx.db, [locked.id])) {
      const other = await aboutOf(ctx, about, part)
      const before = await refundsAround(ctx.db, [part.invoiceId])
      const most = leftAtProvider(part, locked, other.invoice, before)
      rest -= await refundedOutside(ctx, now, other, locked, before, Math.min(rest, most))
    }
    await takeFromBalance(ctx, now, about, locked, null, rest)
  })
}

/**
 * The pending refunds that a refunded total contains: those that the provider accepted, the oldest first.
 * One that it has not answered is among them only if it is all that remains. Otherwise its own call is
 * repeated until the provider answers, and whatever else was refunded does not end that.
 */
function settledBy(total: number, pending: readonly RefundRow[]): RefundRow[] {
  let rest = total
  const settles = pending.filter(({ externalRef, amount }) => {
    const fits = externalRef !== null && amount <= rest
    if (fits) rest -= amount
    return fits
  })
  const same = pending.filter(({ externalRef, amount }) => externalRef === null && amount === rest)
  return same.length === 1 ? [...settles, ...same] : settles
}

/**
 * Records what was refunded of an invoice on its provider's own pages.
 * @returns how much of it was for this invoice
 */
async function refundedOutside(
  ctx: Ctx,
  now: Date,
  about: Taken,
  payment: PaymentRow,
  before: readonly RefundRow[],
  most: number,
): Promise<number> {
  const { invoice } = about
  const amount = Math.min(most, leftOf(invoice, before))
  if (amount <= 0) return 0
  const row = await insertRefund(ctx.db, {
    ...{ id: randomUUIDv7(), invoiceId: invoice.id, paymentId: payment.id, amount },
    ...{ way: 'provider', state: 'pending', reason: '', createdAt: now },
    tax: taxInRefund({ ...grossOf(invoice), before: refundedOf(before, invoice.id), amount }),
  })
  await tellHost(ctx, invoice, await succeed(ctx, now, about, row), 'refunded_outside')
  return amount
}

/** @returns how much of the missing amount belongs to no refund */
async function reversed(
  ctx: Ctx,
  now: Date,
  about: Taken,
  done: readonly RefundRow[],
  missing: number,
): Promise<number> {
  let rest = missing
  for (const row of done.toReversed()) {
    if (row.amount > rest) continue
    requireSettled(now, row.settledAt ?? row.createdAt)
    rest -= row.amount
    await reverse(ctx, now, await aboutOf(ctx, about, row), row)
  }
  return rest
}
