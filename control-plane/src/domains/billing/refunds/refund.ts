import { randomUUIDv7 } from 'node:crypto'
import { amountToDecimal } from '@lodge/shared/billing/money.ts'
import { type RefundInvoice, taxInRefund } from '@lodge/shared/billing/refunds.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { lockOwner, type UserRow } from '../../customers/index.ts'
import { cancelNow, cancelSubscription } from '../cancel.ts'
import { findInvoice, type InvoiceRow, paymentsOf } from '../invoice-store.ts'
import { changeBalance } from '../invoices.ts'
import { findSubscription, lockRow } from '../subscription-store.ts'
import { waysToPay } from '../ways-to-pay.ts'
import {
  insertRefund,
  lockInvoice,
  lockPayment,
  type RefundRow,
  refundsAround,
} from './refund-store.ts'
import { succeed } from './settle.ts'
import { grossOf, leftAtProvider, leftOf, refundedOf } from './what-is-left.ts'

export interface Back {
  readonly amount: number
  readonly way: RefundInvoice['way']
  readonly paymentId: string | null
  readonly reason: string
}

/**
 * Locks everything that a refund concerns: the customer, the subscription and the invoice, in this
 * order.
 */
export async function lockForRefund(
  ctx: Ctx,
  { id, userId, subscriptionId }: InvoiceRow,
): Promise<{ user: UserRow | undefined; invoice: InvoiceRow }> {
  const user = userId === null ? undefined : await lockOwner(ctx.db, userId)
  if (subscriptionId !== null) await lockRow(ctx.db, subscriptionId)
  const invoice = await lockInvoice(ctx.db, id)
  if (!invoice) throw new Error('a loaded invoice is gone')
  return { user, invoice }
}

/** Refunds an invoice in whole or in part, and ends its subscription if requested. */
export async function refundInvoice(
  ctx: Ctx,
  now: Date,
  given: InvoiceRow,
  wanted: RefundInvoice,
): Promise<void> {
  const { amount, way, paymentId = null, reason = '' } = wanted
  if (way === 'provider' && paymentId === null)
    throw invalid([{ pointer: '/paymentId', detail: 'is missing' }])
  if (way !== 'provider' && paymentId !== null)
    throw invalid([{ pointer: '/paymentId', detail: 'goes back through its provider only' }])
  const open = new Set((await waysToPay(ctx)).map(({ id }) => id))
  await ctx.transaction(async (ctx) => {
    const { user, invoice } = await lockForRefund(ctx, given)
    if (wanted.subscription === 'keep') await requireNoOpenChange(ctx, invoice)
    await giveBack(ctx, now, { user, invoice, open }, { amount, way, paymentId, reason })
    if (invoice.subscriptionId === null || wanted.subscription === 'keep') return
    const row = await findSubscription(ctx.db, invoice.subscriptionId)
    if (!row || row.endedAt !== null) return
    await (wanted.subscription === 'now' ? cancelNow : cancelSubscription)(ctx, now, row)
  })
}

/** A change of plan that is not paid yet has its credit in the open invoice, which would be given back twice. */
async function requireNoOpenChange(ctx: Ctx, { id, subscriptionId }: InvoiceRow): Promise<void> {
  const row = subscriptionId === null ? undefined : await findSubscription(ctx.db, subscriptionId)
  const pending = row?.pendingInvoiceId
    ? await findInvoice(ctx.db, row.pendingInvoiceId)
    : undefined
  if (pending?.status !== 'open' || pending.id === id) return
  if (!pending.lines.some(({ kind }) => kind === 'proration_credit')) return
  throw new Problem(
    'invalid_state',
    `A change of plan that is not paid yet counts on this money: void invoice ${pending.number} first`,
  )
}

interface About {
  readonly user: UserRow | undefined
  readonly invoice: InvoiceRow
  /** Providers that are turned on. */
  readonly open: ReadonlySet<string>
}

/**
 * Begins one refund, of at most what is left; the invoice is locked. A refund by the host or to the
 * balance succeeds immediately, one by a provider once the provider confirms it.
 */
export async function giveBack(
  ctx: Ctx,
  now: Date,
  { user, invoice, open }: About,
  { amount, way, paymentId, reason }: Back,
): Promise<RefundRow> {
  if (invoice.status !== 'paid')
    throw new Problem('invalid_state', 'Only a paid invoice can be refunded: void it instead')
  const through = paymentId === null ? undefined : await lockThrough(ctx, invoice, paymentId)
  const before = await refundsAround(ctx.db, [invoice.id])
  requireAtMost(amount, leftOf(invoice, before), invoice)
  if (through) {
    if (!open.has(through.at.provider))
      throw new Problem(
        'invalid_state',
        'Its way to pay is turned off: turn it on, or return the money yourself and record that',
      )
    const { payment, at } = through
    requireAtMost(amount, leftAtProvider(payment, at, invoice, before), invoice)
  }
  if (way === 'balance' && !user)
    throw new Problem('invalid_state', 'The customer is gone: return the money another way')
  const row = await insertRefund(ctx.db, {
    ...{ id: randomUUIDv7(), invoiceId: invoice.id, amount, way, reason },
    paymentId: through?.at.id ?? null,
    tax: taxInRefund({ ...grossOf(invoice), before: refundedOf(before, invoice.id), amount }),
    ...{ state: 'pending', createdAt: now, nextAt: way === 'provider' ? now : null },
  })
  if (way === 'provider') return row
  if (way === 'balance' && user) await changeBalance(ctx, now, user.id, invoice, amount)
  return succeed(ctx, now, { user, invoice }, row)
}

/** A payment of an invoice, and the one at its provider, locked: others may go back through it, too. */
async function lockThrough(ctx: Ctx, invoice: InvoiceRow, paymentId: string) {
  const payment = (await paymentsOf(ctx.db, [invoice.id])).find(({ id }) => id === paymentId)
  const at = payment && (await lockPayment(ctx.db, payment.sumId ?? payment.id))
  if (!at) throw invalid([{ pointer: '/paymentId', detail: 'is not of this invoice' }])
  return { payment, at }
}

function requireAtMost(amount: number, left: number, { currency }: InvoiceRow): void {
  if (amount > left)
    throw new Problem(
      'refund_too_much',
      `At most ${amountToDecimal(left, currency)} ${currency} can be refunded like this`,
    )
}
