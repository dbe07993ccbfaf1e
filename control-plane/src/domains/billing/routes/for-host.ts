import type { ManagedInvoice, ManagedSubscription } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../../context.ts'
import { notFound } from '../../../problem.ts'
import { findInvoice, type InvoiceRow } from '../invoice-store.ts'
import { showInvoices } from '../show-invoices.ts'
import { findSubscription } from '../subscription-store.ts'
import { describeForHost } from '../view.ts'

/** Invoices for the host, with their customers. */
export const shownInvoices = async (
  ctx: Ctx,
  rows: readonly InvoiceRow[],
): Promise<ManagedInvoice[]> => {
  const shown = await showInvoices(ctx, rows, { isHost: true })
  return shown.map((one, at) => ({ ...one, userId: rows[at]?.userId ?? null }))
}

export async function oneInvoice(ctx: Ctx, id: string): Promise<ManagedInvoice> {
  const row = await findInvoice(ctx.db, id)
  const [shown] = await shownInvoices(ctx, row ? [row] : [])
  if (!shown) throw notFound('invoice')
  return shown
}

export async function oneSubscription(ctx: Ctx, id: string): Promise<ManagedSubscription> {
  const row = await findSubscription(ctx.db, id)
  const [shown] = await describeForHost(ctx, row ? [row] : [])
  if (!shown) throw notFound('subscription')
  return shown
}
