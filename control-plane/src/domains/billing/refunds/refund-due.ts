import { type Ctx, contextFor } from '../../../context.ts'
import { inTurn } from '../../../db/advisory-locks.ts'
import type { Services } from '../../../services.ts'
import { callPlugin, PluginCallFailed } from '../../plugins/index.ts'
import { findInvoice, type PaymentRow } from '../invoice-store.ts'
import { paymentTurn } from '../payment-turn.ts'
import { takeRefunded } from './project-refunds.ts'
import { lockForRefund } from './refund.ts'
import {
  dueRefunds,
  findPayment,
  findRefund,
  type RefundRow,
  updateRefund,
} from './refund-store.ts'
import { fail, succeed } from './settle.ts'

const MINUTE_MS = 60_000
/** Less than a day in total: providers keep an idempotency key for a day. */
const RETRIES_MINUTES = [1, 5, 15, 60, 60, 120, 240, 480]
/** How often to check a refund that a provider has accepted and not made yet. */
const LOOK_MINUTES = 60
const MAYBE = 'It may have gone back all the same: look at the provider before you refund it again'

/**
 * Has providers make the refunds that are due. A repeated call has the same idempotency key, so it
 * pays once.
 */
export async function refundDue(services: Services, now = new Date()): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  const due = await dueRefunds(ctx.db, now)
  for (const row of due)
    try {
      await advance(ctx, now, row)
    } catch (error) {
      const known = error instanceof PluginCallFailed
      if (!known) services.log.error({ err: error, refund: row.id }, 'a refund was not advanced')
      const isFinal = known && (error.reason === 'refused' || error.reason === 'unsupported')
      await postpone(ctx, now, row.id, known ? error.message : 'Unexpected', isFinal)
    }
  return due.length
}

async function advance(ctx: Ctx, now: Date, row: RefundRow): Promise<void> {
  const payment = row.paymentId === null ? undefined : await findPayment(ctx.db, row.paymentId)
  if (!payment || payment.externalRef === null) return
  if (row.externalRef !== null) return look(ctx, now, row, payment, payment.externalRef)
  const invoice = await findInvoice(ctx.db, row.invoiceId)
  const { ref, status } = await callPlugin(ctx, payment.provider, 'payment.refund', {
    ...{ paymentRef: payment.externalRef, amount: row.amount, key: `refund:${row.id}` },
    currency: invoice?.currency ?? '',
  })
  await settled(ctx, row.id, async (ctx, about, present) => {
    if (status === 'succeeded') await succeed(ctx, now, about, present, ref)
    else if (status === 'failed')
      await fail(ctx, now, about, present, 'The provider did not give it back')
    else await updateRefund(ctx.db, row.id, { externalRef: ref, nextAt: after(now, LOOK_MINUTES) })
  })
}

/** Fetches how much of a payment has been refunded. */
async function look(ctx: Ctx, now: Date, row: RefundRow, payment: PaymentRow, ref: string) {
  await inTurn(ctx.db, paymentTurn(payment.provider, ref), async () => {
    const { object } = await callPlugin(ctx, payment.provider, 'payment.fetch', {
      ...{ kind: 'payment', ref },
    })
    if (object?.kind === 'payment')
      await takeRefunded(ctx, now, payment.provider, ref, object.amountRefunded)
  })
  await settled(ctx, row.id, async (ctx) => {
    await updateRefund(ctx.db, row.id, { nextAt: after(now, LOOK_MINUTES) })
  })
}

const after = (now: Date, minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS)

/** Changes a refund that is still pending, with everything that it concerns locked. */
async function settled(
  ctx: Ctx,
  id: string,
  change: (
    ctx: Ctx,
    about: Awaited<ReturnType<typeof lockForRefund>>,
    row: RefundRow,
  ) => Promise<void>,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const row = await findRefund(ctx.db, id)
    const invoice = row && (await findInvoice(ctx.db, row.invoiceId))
    if (!invoice) return
    const about = await lockForRefund(ctx, invoice)
    const present = await findRefund(ctx.db, id)
    if (present?.state === 'pending') await change(ctx, about, present)
  })
}

async function postpone(
  ctx: Ctx,
  now: Date,
  id: string,
  why: string,
  isFinal: boolean,
): Promise<void> {
  await settled(ctx, id, async (ctx, about, row) => {
    // An accepted refund may still be made, whatever later calls answer.
    const isAccepted = row.externalRef !== null
    if (isFinal && !isAccepted) return fail(ctx, now, about, row, why)
    const minutes = isAccepted ? LOOK_MINUTES : RETRIES_MINUTES[row.attempts]
    if (minutes === undefined) return fail(ctx, now, about, row, `${why}. ${MAYBE}`)
    await updateRefund(ctx.db, id, {
      ...{ attempts: row.attempts + 1, failure: why, nextAt: after(now, minutes) },
    })
  })
}
