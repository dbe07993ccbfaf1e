import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { notFound, Problem } from '../../../problem.ts'
import { lockOwner } from '../../customers/index.ts'
import { findInvoice, type InvoiceRow } from '../invoice-store.ts'
import { lockRow, type SubscriptionRow } from '../subscription-store.ts'
import { beginCharge, chargedBy, isUnderWay, mayBeCharged } from './charge.ts'
import { type ChargeRow, lastCharges } from './charge-store.ts'
import type { ProviderCustomer } from './customer-store.ts'
import { withMoneyOnItsWay } from './on-its-way.ts'

/** What charging a customer's invoices depends on. */
export interface Charged {
  /** The latest charge of each invoice. */
  readonly charges: ReadonlyMap<string, ChargeRow>
  /** The invoices whose money is on its way from a page. */
  readonly onItsWay: ReadonlySet<string>
  /** Who charges their renewals. */
  readonly by: ProviderCustomer | undefined
}

/** What charging these open invoices of a customer depends on. */
export const chargedOf = async (
  ctx: Ctx,
  now: Date,
  invoiceIds: readonly string[],
  by: ProviderCustomer | undefined,
): Promise<Charged> => ({
  charges: await lastCharges(ctx.db, invoiceIds),
  onItsWay: await withMoneyOnItsWay(ctx.db, now, invoiceIds),
  by,
})

/** Why an open invoice cannot be charged with the saved payment method now; null if it can. */
export function whyNotCharged(
  { status, suspendedFor }: Pick<SubscriptionRow, 'status' | 'suspendedFor'>,
  { id }: InvoiceRow,
  { charges, onItsWay, by }: Charged,
): string | null {
  if (status === 'suspended' && suspendedFor !== 'unpaid')
    return 'It is suspended: write to your host'
  const last = charges.get(id)
  if (last && isUnderWay(last)) return 'It is being charged now: wait until that is over'
  if (onItsWay.has(id)) return 'Its money is on its way: wait until it has arrived'
  if (last && mayBeCharged(last))
    return 'The last charge may have succeeded: ask your host, or pay in another way'
  return by === undefined ? NOBODY : null
}
const NOBODY = 'No saved payment method is charged: save one, or pay in another way'

/**
 * Charges an open invoice with the saved payment method at its customer's request, also one that was
 * declined before.
 */
export const chargeNow = (ctx: Ctx<User>, now: Date, { id }: InvoiceRow): Promise<void> =>
  ctx.transaction(async (ctx) => {
    const userId = ctx.actor.id
    if (!(await lockOwner(ctx.db, userId))) throw notFound('customer')
    const subscriptionId = (await findInvoice(ctx.db, id))?.subscriptionId ?? null
    const row = subscriptionId === null ? undefined : await lockRow(ctx.db, subscriptionId)
    const invoice = await findInvoice(ctx.db, id)
    if (!row || invoice?.status !== 'open')
      throw new Problem('invalid_state', 'This invoice is not open: nothing is left to pay')
    const charged = await chargedOf(ctx, now, [id], await chargedBy(ctx, userId))
    const why = whyNotCharged(row, invoice, charged)
    if (why !== null || !charged.by) throw new Problem('invalid_state', why ?? NOBODY)
    await beginCharge(ctx, now, invoice, charged.charges.get(id), charged.by)
  })
