import { randomUUIDv7 } from 'node:crypto'
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
  if (!found) return undefined
  const ways = await waysToPay(ctx)
  return ways.some(({ id, autoCharge }) => id === found.provider && autoCharge) ? found : undefined
}

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
  (await isBeingCharged(ctx, invoice)) ||
  (await withMoneyOnItsWay(ctx.db, now, [invoice.id])).size > 0

/** Result of requesting a charge: `never` if nobody charges this invoice. */
export type Charging = 'never' | 'under way' | 'failed'

/**
 * Requests the first charge of an open invoice since it is due, which begins once this transaction has
 * committed; none if it is being paid.
 */
export async function chargeOnce(ctx: Ctx, now: Date, invoice: InvoiceRow): Promise<Charging> {
  if (await isBeingPaid(ctx, now, invoice)) return 'under way'
  const last = (await lastCharges(ctx.db, [invoice.id])).get(invoice.id)
  // One that was declined before the invoice was due was an early attempt of its customer.
  const isEarly = last?.state === 'failed' && last.createdAt < invoice.dueAt
  if (!last || last.state === 'dropped' || isEarly)
    return (await chargeAgain(ctx, now, invoice)) ? 'under way' : 'never'
  return 'failed'
}

/**
 * Requests another charge of an open invoice, unless it is being paid; false if nobody charges it.
 */
export async function chargeAgain(ctx: Ctx, now: Date, invoice: InvoiceRow): Promise<boolean> {
  if (await isBeingPaid(ctx, now, invoice)) return true
  const last = (await lastCharges(ctx.db, [invoice.id])).get(invoice.id)
  if (last && mayBeCharged(last)) return false
  const by = invoice.userId === null ? undefined : await chargedBy(ctx, invoice.userId)
  if (!by) return false
  await insertCharge(ctx.db, {
    ...{ id: randomUUIDv7(), invoiceId: invoice.id, attempt: (last?.attempt ?? 0) + 1 },
    ...{ provider: by.provider, amount: invoice.total - invoice.amountPaid },
    ...{ state: 'waiting', nextAt: now, createdAt: now },
  })
  return true
}

/** Whether a saved payment method has expired by a day. */
export const isExpiredOn = ({ expires }: Pick<ProviderCustomer, 'expires'>, day: Date): boolean =>
  expires !== null && day.toISOString().slice(0, 7) > expires
