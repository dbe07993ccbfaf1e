import type { PaidPayment } from '@lodge/shared/plugins/payment.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { inTurn } from '../../../db/advisory-locks.ts'
import { Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import { callPlugin } from '../../plugins/index.ts'
import { lookAtCharge } from '../charges/charge-store.ts'
import { notePage } from '../charges/on-its-way.ts'
import { notePayment } from '../charges/page-store.ts'
import { findInvoice, type InvoiceRow } from '../invoice-store.ts'
import { recordPayment } from '../pay.ts'
import { paymentTurn } from '../payment-turn.ts'
import { takeDisputes } from '../refunds/disputes.ts'
import { takeRefunded } from '../refunds/project-refunds.ts'
import { paymentNamed } from '../refunds/refund-store.ts'
import { NotSettled } from '../refunds/settled.ts'
import { dueEvents, type ProviderEventRow, updateEvent } from './event-store.ts'
import { takeSaved, takeSavedFor } from './saved-methods.ts'

/** Delay after each attempt; after the last the event is given up. */
const RETRY_SECONDS = [5, 30, 300, 3600, 3600, 7200, 14_400]
/** So many of these retries an object that the provider does not know gets. */
const UNKNOWN_RETRIES = 4
const LONGEST_NAME = 36

/** A provider does not say enough of something yet. */
export class NotYet extends Error {}
/** A provider knows no such object, which it may have named before it was stored. */
class Unknown extends NotYet {}

/**
 * Processes the events of providers. The content of an event is not trusted: the object that it names
 * is fetched from the provider, so events may come twice, late and in any order.
 */
export async function projectEvents(services: Services, now = new Date()): Promise<number> {
  const due = await dueEvents(services.db, now)
  for (const event of due) await project(services, now, event)
  return due.length
}

async function project(services: Services, now: Date, event: ProviderEventRow): Promise<void> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  try {
    let used = false
    for (const { kind, ref } of event.objects)
      if (kind === 'payment' || kind === 'checkout') {
        const { provider } = event
        const { became, of } = await takeObject(ctx, now, provider, kind, ref)
        used = became === 'used' || used
        const processing = became === 'processing'
        // While money is on its way, nothing else may pay the invoices of its page.
        if (kind === 'checkout') await notePage(ctx.db, now, { provider, ref }, processing)
        else if (of !== undefined) await notePayment(ctx.db, now, of, provider, processing)
      }
    const state = used ? 'done' : 'ignored'
    await updateEvent(ctx.db, event.id, { state, nextAt: null, failure: null })
  } catch (error) {
    const known = [Problem, NotYet, NotSettled].some((kind) => error instanceof kind)
    // One event that fails unexpectedly does not hold up the others.
    if (!known) services.log.error({ err: error, event: event.id }, 'an event was not projected')
    const failure =
      known && error instanceof Error ? error.message : 'Unexpected: the log says more'
    const seconds = RETRY_SECONDS[event.attempts]
    const attempts = event.attempts + 1
    // Nobody could do anything about an object that does not exist.
    if (error instanceof Unknown && attempts > UNKNOWN_RETRIES)
      return updateEvent(ctx.db, event.id, { attempts, failure, state: 'ignored', nextAt: null })
    if (seconds === undefined) return giveUp(ctx, { ...event, attempts, failure })
    const nextAt = new Date(now.getTime() + seconds * 1000)
    await updateEvent(ctx.db, event.id, { attempts, failure, state: 'waiting', nextAt })
  }
}

/** Leaves an event to a person, who can replay it. */
const giveUp = (ctx: Ctx, event: ProviderEventRow & { readonly failure: string }): Promise<void> =>
  ctx.transaction(async (ctx) => {
    const { id, provider, type, attempts, failure } = event
    await updateEvent(ctx.db, id, { attempts, failure, state: 'dead', nextAt: null })
    await ctx.emit('billing.event_given_up', { eventId: id, provider, type, why: failure })
  })

export interface Taken {
  /** What came of an object: nothing of ours, something, or money that is on its way. */
  readonly became: 'unused' | 'used' | 'processing'
  /** The invoice that a payment is for which has not arrived, unless it was charged without a page. */
  readonly of?: string
}

/** Takes over the present state of an object of a provider. */
export async function takeObject(
  ctx: Ctx,
  now: Date,
  provider: string,
  kind: 'payment' | 'checkout',
  ref: string,
): Promise<Taken> {
  const taken = await inTurn(ctx.db, paymentTurn(provider, ref), () =>
    takeFetched(ctx, now, provider, kind, ref),
  )
  // The payment of a page has a turn of its own.
  return 'became' in taken ? taken : takeObject(ctx, now, provider, 'payment', taken.ref)
}

/** @returns the payment of a page, if that is to be fetched as well */
async function takeFetched(
  ctx: Ctx,
  now: Date,
  provider: string,
  kind: 'payment' | 'checkout',
  ref: string,
): Promise<Taken | { readonly ref: string }> {
  const { object } = await callPlugin(ctx, provider, 'payment.fetch', { kind, ref })
  // The event arrived before the provider's API returns the object.
  if (object === null) throw new Unknown('The provider does not know it yet')
  if (object.kind === 'checkout') {
    const { paymentRef, savedFor } = object
    if (paymentRef !== null) return { ref: paymentRef }
    const isOurs = typeof savedFor === 'string' && (await takeSavedFor(ctx, provider, savedFor))
    return { became: isOurs ? 'used' : 'unused' }
  }
  const isCharge = await lookAtCharge(ctx.db, now, provider, ref)
  const used = await takePayment(ctx, now, provider, object)
  if (used) await takeSaved(ctx, provider, object.metadata.invoiceId ?? '')
  if (used) return { became: 'used' }
  const invoice = isCharge ? undefined : await invoiceOf(ctx, object)
  return {
    became: object.status === 'processing' ? 'processing' : 'unused',
    ...(invoice && { of: invoice.id }),
  }
}

/** The invoice that a payment names; another installation may use the same provider account. */
async function invoiceOf(ctx: Ctx, { metadata }: PaidPayment): Promise<InvoiceRow | undefined> {
  const id = metadata.invoiceId ?? ''
  return id.length === LONGEST_NAME ? findInvoice(ctx.db, id) : undefined
}

/** A disputed payment had arrived. */
const ARRIVED: readonly PaidPayment['status'][] = ['succeeded', 'refunded', 'disputed']

/** Takes over a payment's state from its provider; false if the payment is not ours. */
export async function takePayment(
  ctx: Ctx,
  now: Date,
  provider: string,
  said: PaidPayment,
): Promise<boolean> {
  const { ref, status, amount, amountRefunded, currency } = said
  const invoice = await invoiceOf(ctx, said)
  const arrived = ARRIVED.includes(status)
  if (!invoice || !arrived || amount <= 0) return false
  if (currency !== invoice.currency)
    throw new NotYet(`It was paid in ${currency}, not in ${invoice.currency}`)
  await recordPayment(ctx, now, invoice.id, {
    ...{ amount, receivedAt: now, reference: '', provider, externalRef: ref },
  })
  await takeRefunded(ctx, now, provider, ref, amountRefunded)
  const payment = await paymentNamed(ctx.db, provider, ref)
  if (payment) await takeDisputes(ctx, now, payment, said)
  return true
}
