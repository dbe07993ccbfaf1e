import { randomUUIDv7 } from 'node:crypto'
import { taxInRefund } from '@lodge/shared/billing/refunds.ts'
import type { PaidDispute, PaidPayment } from '@lodge/shared/plugins/payment.ts'
import type { Ctx } from '../../../context.ts'
import { findInvoice, type PaymentRow } from '../invoice-store.ts'
import { lift, suspendPaid } from './disputed-servers.ts'
import { endUnlisted, isNoted, takeWithoutRefund } from './disputes-without-refund.ts'
import { lockForRefund } from './refund.ts'
import {
  insertRefund,
  lockPayment,
  paidBy,
  type RefundRow,
  refundsAround,
  updateRefund,
} from './refund-store.ts'
import { aboutOf, credited, reverse, type Taken, tellHost } from './settle.ts'
import { returnToBalance, takeFromBalance } from './taken-back.ts'
import { takenByDispute } from './taken-back-store.ts'
import { counts, grossOf, leftOf, refundedOf } from './what-is-left.ts'

/** The order in which disputes are processed: what a won dispute frees, another may take. */
const ORDER: readonly PaidDispute['state'][] = ['won', 'lost', 'open']

/**
 * The disputes of a payment; if the provider reports only that there is one, it covers the whole
 * payment.
 */
function disputesOf({ disputes, dispute, status, ref, amount }: PaidPayment): PaidDispute[] {
  if (disputes) return ORDER.flatMap((now) => disputes.filter(({ state }) => state === now))
  if (dispute) return [dispute]
  return status === 'disputed' ? [{ ref, state: 'open', amount, reason: '' }] : []
}

/**
 * Takes over the state of a payment's disputes. While one is open, its amount cannot be refunded and
 * the servers that came with the invoices that it paid are off; a lost one counts as money that went back, with a
 * credit note.
 */
export async function takeDisputes(
  ctx: Ctx,
  now: Date,
  payment: PaymentRow,
  said: PaidPayment,
): Promise<void> {
  const found = await findInvoice(ctx.db, payment.invoiceId)
  if (!found) return
  await ctx.transaction(async (ctx) => {
    const about = await lockForRefund(ctx, found)
    const locked = await lockPayment(ctx.db, payment.id)
    if (!locked) return
    const disputes = disputesOf(said)
    // A dispute that the provider no longer lists is over.
    for (const row of ofPayment(await refundsAround(ctx.db, [found.id]), payment))
      if (row.state === 'pending' && !disputes.some(({ ref }) => ref === row.externalRef))
        await won(ctx, now, await aboutOf(ctx, about, row), row)
    await endUnlisted(ctx, about, locked, disputes)
    for (const dispute of disputes) await take(ctx, now, about, locked, dispute)
  })
}

const ofPayment = (all: readonly RefundRow[], { id }: PaymentRow): RefundRow[] =>
  all.filter(({ paymentId, way }) => paymentId === id && way === 'dispute')

async function take(
  ctx: Ctx,
  now: Date,
  about: Taken,
  payment: PaymentRow,
  dispute: PaidDispute,
): Promise<void> {
  const all = await refundsAround(ctx.db, [about.invoice.id])
  const taken = await takenByDispute(ctx.db, payment, dispute.ref)
  const known = ofPayment(all, payment).find(
    (row) => row.externalRef === dispute.ref && counts(row),
  )
  const rest = dispute.amount - taken
  const isWithout = !known && (await isNoted(ctx, payment, dispute.ref))
  const row = known ?? (isWithout ? undefined : await open(ctx, now, about, payment, dispute, rest))
  if (!row) await takeWithoutRefund(ctx, now, about, payment, dispute, rest)
  const its = row ? await aboutOf(ctx, about, row) : about
  if (dispute.state === 'won') {
    if (row?.state === 'pending') await won(ctx, now, its, row)
    if (row?.state === 'succeeded') {
      await reverse(ctx, now, its, row)
      await lift(ctx, row.paymentId)
    }
    await returnToBalance(ctx, now, about, payment, dispute.ref, taken)
  }
  if (dispute.state !== 'lost') return
  if (row?.state === 'pending') {
    await credited(ctx, now, row)
    await tellHost(ctx, its.invoice, row, 'dispute_lost')
  }
  // The rest of the payment had gone to the customer's balance.
  await takeFromBalance(ctx, now, about, payment, dispute.ref, rest - (row?.amount ?? 0))
}

/**
 * Holds a dispute's amount with the first invoice that it paid and that has something left. Undefined if
 * none has, or if it ended before we saw it.
 * @param rest what was not taken from the balance, which is not a refund of an invoice
 */
async function open(
  ctx: Ctx,
  now: Date,
  about: Taken,
  payment: PaymentRow,
  { ref, state, reason }: PaidDispute,
  rest: number,
): Promise<RefundRow | undefined> {
  if (rest <= 0 || state === 'won') return undefined
  for (const { id } of await paidBy(ctx.db, payment.id)) {
    const { invoice } = await aboutOf(ctx, about, { invoiceId: id })
    const all = await refundsAround(ctx.db, [id])
    const amount = Math.min(rest, leftOf(invoice, all))
    if (amount <= 0) continue
    const row = await insertRefund(ctx.db, {
      ...{ id: randomUUIDv7(), invoiceId: id, paymentId: payment.id, amount },
      ...{ way: 'dispute', state: 'pending', reason, createdAt: now, externalRef: ref },
      tax: taxInRefund({ ...grossOf(invoice), before: refundedOf(all, id), amount }),
    })
    await suspendPaid(ctx, payment.id)
    await tellHost(ctx, invoice, row, 'dispute_opened')
    return row
  }
  return undefined
}

async function won(ctx: Ctx, now: Date, { invoice }: Taken, row: RefundRow): Promise<void> {
  await updateRefund(ctx.db, row.id, { state: 'failed', settledAt: now, failure: null })
  await lift(ctx, row.paymentId)
  await tellHost(ctx, invoice, row, 'dispute_won')
}
