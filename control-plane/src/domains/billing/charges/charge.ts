import { randomUUIDv7 } from 'node:crypto'
import type { WayToPay } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../../context.ts'
import type { InvoiceRow } from '../invoice-store.ts'
import { waysToPay } from '../ways-to-pay.ts'
import { type ChargeRow, insertCharge, lastCharges } from './charge-store.ts'
import { chargedCustomer, type ProviderCustomer } from './customer-store.ts'
import { withMoneyOnItsWay } from './on-its-way.ts'

/**
 * The provider that charges a customer's renewals, if the customer wants that and the provider can.
 */
export async function chargedBy(ctx: Ctx, userId: string): Promise<ProviderCustomer | undefined> {
  const found = await chargedCustomer(ctx.db, userId)
  return found && chargedAmong([found], await waysToPay(ctx))
}

/** Who of those that know a customer charges their renewals. */
export const chargedAmong = (
  known: readonly ProviderCustomer[],
  ways: readonly WayToPay[],
): ProviderCustomer | undefined =>
  known.find(
    ({ provider, autoCharge }) =>
      autoCharge === 'on' && ways.some((way) => way.id === provider && way.autoCharge),
  )

export const isUnderWay = ({ state }: ChargeRow): boolean =>
  state === 'waiting' || state === 'processing'

/**
 * The outcome of an attempt that was given up is unknown: a new one might charge the customer twice.
 */
export const mayBeCharged = ({ state, tries }: ChargeRow): boolean =>
  state === 'dropped' && tries > 1

/** Whether an open invoice is being charged; until that ends nothing else may pay it. */
export async function isBeingCharged(ctx: Ctx, invoice: InvoiceRow | undefined): Promise<boolean> {
  const last = invoice && (await lastCharges(ctx.db, [invoice.id])).get(invoice.id)
  return last !== undefined && isUnderWay(last)
}

/** Whether an open invoice is being charged, or its money is on its way from a page: it must not be paid again. */
export const isBeingPaid = async (ctx: Ctx, now: Date, invoice: InvoiceRow): Promise<boolean> =>
  (await standingOf(ctx, now, invoice)).isBeingPaid

/** The latest charge of an open invoice, and whether it is being paid. */
async function standingOf(ctx: Ctx, now: Date, { id }: InvoiceRow) {
  const last = (await lastCharges(ctx.db, [id])).get(id)
  const isCharged = last !== undefined && isUnderWay(last)
  return { last, isBeingPaid: isCharged || (await withMoneyOnItsWay(ctx.db, now, [id])).size > 0 }
}

/** Result of requesting a charge: `never` if nobody charges this invoice. */
export type Charging = 'never' | 'under way' | 'failed'

/**
 * Requests the first charge of an open invoice since it is due, which begins once this transaction has
 * committed; none if it is being paid.
 */
export async function chargeOnce(ctx: Ctx, now: Date, invoice: InvoiceRow): Promise<Charging> {
  const { last, isBeingPaid } = await standingOf(ctx, now, invoice)
  if (isBeingPaid) return 'under way'
  // One that was declined before the invoice was due was an early attempt of its customer.
  const isEarly = last?.state === 'failed' && last.createdAt < invoice.dueAt
  if (last && last.state !== 'dropped' && !isEarly) return 'failed'
  return (await request(ctx, now, invoice, last)) ? 'under way' : 'never'
}

/**
 * Requests another charge of an open invoice, unless it is being paid; false if nobody charges it.
 */
export async function chargeAgain(ctx: Ctx, now: Date, invoice: InvoiceRow): Promise<boolean> {
  const { last, isBeingPaid } = await standingOf(ctx, now, invoice)
  return isBeingPaid || request(ctx, now, invoice, last)
}

async function request(
  ctx: Ctx,
  now: Date,
  invoice: InvoiceRow,
  last: ChargeRow | undefined,
): Promise<boolean> {
  if (last && mayBeCharged(last)) return false
  const by = invoice.userId === null ? undefined : await chargedBy(ctx, invoice.userId)
  if (!by) return false
  await beginCharge(ctx, now, invoice, last, by)
  return true
}

/** Begins a charge after the last one, once this transaction has committed. */
export const beginCharge = (
  ctx: Ctx,
  now: Date,
  invoice: InvoiceRow,
  last: ChargeRow | undefined,
  by: ProviderCustomer,
): Promise<void> =>
  insertCharge(ctx.db, {
    ...{ id: randomUUIDv7(), invoiceId: invoice.id, attempt: (last?.attempt ?? 0) + 1 },
    ...{ provider: by.provider, amount: invoice.total - invoice.amountPaid },
    ...{ state: 'waiting', nextAt: now, createdAt: now },
  })

/** Whether a saved payment method has expired by a day. */
export const isExpiredOn = ({ expires }: Pick<ProviderCustomer, 'expires'>, day: Date): boolean =>
  expires !== null && day.toISOString().slice(0, 7) > expires
