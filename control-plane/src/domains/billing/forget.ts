import type { Ctx } from '../../context.ts'
import { voidInvoicesOf } from './invoice-store.ts'
import { releaseOrder } from './orders.ts'
import { sayFarewell } from './providers/farewells.ts'
import { endRevenueOf } from './revenue/record.ts'
import { forgetLostMachines, lostOrders } from './subscription-store.ts'
import { recordVoid } from './tax/record.ts'

/**
 * A deleted customer owes nothing any more, no provider keeps a payment method of theirs, and the places
 * that were kept for their servers are free again; invoices stay.
 */
export async function forgetCustomer(ctx: Ctx, userId: string): Promise<void> {
  for (const invoice of await voidInvoicesOf(ctx.db, ctx.now, userId))
    await recordVoid(ctx, ctx.now, invoice)
  await sayFarewell(ctx, userId)
  await endRevenueOf(ctx.db, ctx.now, userId)
  for (const order of await lostOrders(ctx.db)) await releaseOrder(ctx, order)
  await forgetLostMachines(ctx.db)
}
