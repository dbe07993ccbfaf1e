import type { PaidPayment } from '@lodge/shared/plugins/payment.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { oneByOne } from '../../../jobs/one-by-one.ts'
import type { Services } from '../../../services.ts'
import { callPlugin, PluginCallFailed } from '../../plugins/index.ts'
import { readSettings } from '../../settings/index.ts'
import { type ChargeRow, claimCharge, dueCharges, updateCharge } from '../charges/charge-store.ts'
import { findCustomer, updateCustomer } from '../charges/customer-store.ts'
import { findInvoice, type InvoiceRow } from '../invoice-store.ts'
import { withSubscription } from '../moves.ts'
import { tell } from '../news.ts'
import { recordPayment } from '../pay.ts'
import { daysAfter } from '../renewal.ts'
import { billingSettings } from '../settings.ts'
import { findSubscription, updateSubscription } from '../subscription-store.ts'

const MINUTE_MS = 60_000
/**
 * Longer than a call of a payment plugin may take: afterwards another control plane takes over from
 * one that was killed.
 */
const CLAIM_MINUTES = 3
/** Delay after each attempt whose outcome is unknown. */
const RETRIES_MINUTES = [1, 5, 15, 60, 60, 120, 240, 480]
/** How often to look after money that is on its way, if no webhook reports on it. */
const LOOK_MINUTES = 60
const LONGEST_FAILURE = 300

/**
 * Has providers charge what is due. One control plane at a time calls for a charge, and every call
 * for it has the same idempotency key, so that a customer is charged once even if control planes are
 * killed.
 */
export async function chargeDue(services: Services, now = new Date()): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  const begunMs = performance.now()
  return await oneByOne(services, await dueCharges(ctx.db, now), async ({ id }) => {
    // Earlier charges in the batch may have waited for their provider: a claim counts from now.
    const at = new Date(now.getTime() + performance.now() - begunMs)
    const row = await claimCharge(ctx.db, at, id, after(at, CLAIM_MINUTES))
    if (!row) return false
    try {
      await advance(ctx, at, row)
    } catch (error) {
      await postpone(ctx, at, row, error)
      if (!(error instanceof PluginCallFailed)) throw error
    }
    return true
  })
}

async function advance(ctx: Ctx, now: Date, row: ChargeRow): Promise<void> {
  const { provider, externalRef, amount } = row
  if (externalRef !== null) {
    const { object } = await callPlugin(ctx, provider, 'payment.fetch', {
      ...{ kind: 'payment', ref: externalRef },
    })
    if (object?.kind === 'payment') await take(ctx, now, row, object)
    return
  }
  const invoice = await findInvoice(ctx.db, row.invoiceId)
  const userId = invoice?.userId ?? null
  const customer = userId === null ? undefined : await findCustomer(ctx.db, userId, provider)
  const isOwed = invoice?.status === 'open' && invoice.total - invoice.amountPaid >= amount
  if (!isOwed || customer?.autoCharge !== 'on') return drop(ctx, now, row)
  const said = await callPlugin(ctx, provider, 'payment.chargeInvoice', {
    invoice: {
      ...{ id: invoice.id, number: invoice.number, currency: invoice.currency },
      ...{ amountDue: amount, dueAt: invoice.dueAt.toISOString(), customerRef: customer.ref },
    },
    metadata: { invoiceId: invoice.id },
    key: `charge:${row.id}`,
  })
  await take(ctx, now, row, said)
}

const after = (now: Date, minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS)

/** Takes over a charge's state from its provider. */
async function take(ctx: Ctx, now: Date, row: ChargeRow, said: PaidPayment): Promise<void> {
  const { ref: externalRef, status, amount, currency } = said
  const invoice = await findInvoice(ctx.db, row.invoiceId)
  if (currency !== invoice?.currency) throw new Error(`It was charged in ${currency}`)
  if (status === 'failed') return fail(ctx, now, row, said.failure ?? '')
  if (status === 'processing') {
    const nextAt = after(now, LOOK_MINUTES)
    await updateCharge(ctx.db, row.id, { state: 'processing', externalRef, nextAt })
    return
  }
  await ctx.transaction(async (ctx) => {
    await recordPayment(ctx, now, invoice.id, {
      ...{ amount, receivedAt: now, reference: '', provider: row.provider, externalRef },
    })
    await updateCharge(ctx.db, row.id, {
      state: 'succeeded',
      externalRef,
      failure: null,
      nextAt: null,
    })
  })
}

/** Gives up a charge; dunning decides what follows. */
async function drop(ctx: Ctx, now: Date, row: ChargeRow): Promise<void> {
  await ended(ctx, now, row, { state: 'dropped' })
}

/** Fails a charge: from now on the customer has to pay, and sees why at the invoice. */
async function fail(ctx: Ctx, now: Date, row: ChargeRow, why: string, without = false) {
  const failure = why.slice(0, LONGEST_FAILURE)
  await ended(ctx, now, row, { state: 'failed', failure }, async (ctx, invoice) => {
    // The provider has no saved payment method any more.
    if (without && invoice.userId !== null)
      await updateCustomer(ctx.db, invoice.userId, row.provider, {
        ...{ autoCharge: 'off', method: null, expires: null },
      })
  })
}

/** Ends a charge, with its consequences, and schedules a look at its subscription. */
async function ended(
  ctx: Ctx,
  now: Date,
  row: ChargeRow,
  change: Partial<ChargeRow>,
  also: (ctx: Ctx, invoice: InvoiceRow) => Promise<void> = async () => undefined,
): Promise<void> {
  const invoice = await findInvoice(ctx.db, row.invoiceId)
  const id = invoice?.subscriptionId ?? null
  const about = id === null ? undefined : await findSubscription(ctx.db, id)
  if (!invoice || !about) {
    await updateCharge(ctx.db, row.id, { ...change, nextAt: null })
    return
  }
  const { graceDays } = await readSettings(ctx.db, billingSettings)
  await withSubscription(ctx, about, async (ctx, { user, row: subscription }) => {
    if (!(await updateCharge(ctx.db, row.id, { ...change, nextAt: null }))) return
    await also(ctx, invoice)
    const since = subscription.pastDueSince
    // If it is not overdue yet, the step that makes it overdue tells the customer both.
    if (change.state === 'failed' && subscription.status === 'past_due' && since !== null)
      await tell(ctx, user, 'charge_failed', { invoice, until: daysAfter(since, graceDays) })
    if (subscription.nextAt !== null)
      await updateSubscription(ctx.db, now, subscription.id, { nextAt: now })
  })
}

/** Retries later if the customer may have been charged all the same; gives up what was refused. */
async function postpone(ctx: Ctx, now: Date, row: ChargeRow, error: unknown): Promise<void> {
  const known = error instanceof PluginCallFailed ? error : undefined
  if (row.externalRef !== null) {
    await updateCharge(ctx.db, row.id, { nextAt: after(now, LOOK_MINUTES) })
    return
  }
  const isFinal = known?.reason === 'refused' || known?.reason === 'unsupported'
  const minutes = RETRIES_MINUTES[row.tries - 1]
  if (isFinal)
    return fail(ctx, now, row, known?.said ?? '', known?.pluginCode === 'no_payment_method')
  if (minutes === undefined) {
    ctx.log.warn({ charge: row.id, why: known?.said }, 'it is not known whether this was charged')
    return drop(ctx, now, row)
  }
  const failure = (known?.message ?? 'Unexpected').slice(0, LONGEST_FAILURE)
  await updateCharge(ctx.db, row.id, { failure, nextAt: after(now, minutes) })
}
