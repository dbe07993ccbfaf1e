import { randomUUIDv7 } from 'node:crypto'
import { taxInRefund } from '@lodge/shared/billing/refunds.ts'
import type { PaidDispute, PaidPayment } from '@lodge/shared/plugins/payment.ts'
import type { Ctx } from '../../../context.ts'
import { liftPlanServer, suspendPlanServer } from '../../servers/index.ts'
import { readSettings } from '../../settings/index.ts'
import { findInvoice, type PaymentRow } from '../invoice-store.ts'
import { billingSettings } from '../settings.ts'
import { lockForRefund } from './refund.ts'
import {
  insertRefund,
  isDisputed,
  lockPayment,
  paidBy,
  type RefundRow,
  refundsOf,
  updateRefund,
  wasLost,
} from './refund-store.ts'
import { credited, reverse, type Taken, tellHost } from './settle.ts'
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
    for (const row of ofPayment(await refundsOf(ctx.db, [found.id]), payment))
      if (row.state === 'pending' && !disputes.some(({ ref }) => ref === row.externalRef))
        await won(ctx, now, about, row)
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
  const all = await refundsOf(ctx.db, [about.invoice.id])
  const taken = await takenByDispute(ctx.db, payment, dispute.ref)
  const known = ofPayment(all, payment).find(
    (row) => row.externalRef === dispute.ref && counts(row),
  )
  const row = known ?? (await open(ctx, now, about, all, payment, dispute, taken))
  if (dispute.state === 'won') {
    if (row?.state === 'pending') await won(ctx, now, about, row)
    if (row?.state === 'succeeded') {
      await reverse(ctx, now, about, row)
      await lift(ctx, row)
    }
    await returnToBalance(ctx, now, about, payment, dispute.ref, taken)
  }
  if (dispute.state === 'lost') await lost(ctx, now, about, payment, dispute, row, taken)
}

/** Undefined if no part of it was for the invoice, or if it ended before we saw it. */
async function open(
  ctx: Ctx,
  now: Date,
  about: Taken,
  all: readonly RefundRow[],
  payment: PaymentRow,
  dispute: PaidDispute,
  /** What was taken from the balance, which is not a refund of the invoice. */
  taken: number,
): Promise<RefundRow | undefined> {
  const { invoice } = about
  const amount = Math.min(dispute.amount - taken, leftOf(invoice, all))
  if (amount <= 0 || dispute.state === 'won') return undefined
  const row = await insertRefund(ctx.db, {
    ...{ id: randomUUIDv7(), invoiceId: invoice.id, paymentId: payment.id, amount },
    ...{ way: 'dispute', state: 'pending', reason: dispute.reason, createdAt: now },
    externalRef: dispute.ref,
    tax: taxInRefund({ ...grossOf(invoice), before: refundedOf(all, invoice.id), amount }),
  })
  const { suspendDisputed } = await readSettings(ctx.db, billingSettings)
  if (suspendDisputed)
    for (const { subscriptionId } of await paidBy(ctx.db, payment.id))
      if (subscriptionId !== null) await suspendPlanServer(ctx, subscriptionId, 'dispute')
  await tellHost(ctx, invoice, row, 'dispute_opened')
  return row
}

async function won(ctx: Ctx, now: Date, { invoice }: Taken, row: RefundRow): Promise<void> {
  await updateRefund(ctx.db, row.id, { state: 'failed', settledAt: now, failure: null })
  await lift(ctx, row)
  await tellHost(ctx, invoice, row, 'dispute_won')
}

async function lost(
  ctx: Ctx,
  now: Date,
  about: Taken,
  payment: PaymentRow,
  { ref, amount }: PaidDispute,
  row: RefundRow | undefined,
  taken: number,
): Promise<void> {
  if (row?.state === 'pending') {
    await credited(ctx, now, row)
    await tellHost(ctx, about.invoice, row, 'dispute_lost')
  }
  // The rest of the payment had gone to the customer's balance.
  const rest = amount - (row?.amount ?? 0) - taken
  await takeFromBalance(ctx, now, about, payment, ref, rest)
}

/** Lifts what a dispute of a payment has suspended, as far as nothing else disputed concerns it. */
async function lift(ctx: Ctx, { paymentId }: RefundRow): Promise<void> {
  for (const { id, subscriptionId } of paymentId === null ? [] : await paidBy(ctx.db, paymentId)) {
    if (subscriptionId === null || (await isDisputed(ctx.db, subscriptionId))) continue
    // After a lost dispute, the host decides about the server.
    if (await wasLost(ctx.db, id)) continue
    await liftPlanServer(ctx, subscriptionId, 'dispute')
  }
}
