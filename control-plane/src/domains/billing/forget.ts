import type { Ctx } from '../../context.ts'
import { voidInvoicesOf } from './invoice-store.ts'
import { releaseOrder } from './orders.ts'
import { deleteAtProviders } from './providers/provider-deletions.ts'
import { endRevenueOf } from './revenue/record.ts'
import { forgetLostMachines, lostOrders } from './subscription-store.ts'
import { recordVoid } from './tax/record.ts'

/**
 * Cleans up after a deleted customer: voids what they owe, has providers delete their payment methods
 * and frees the capacity reserved for their servers; invoices stay.
 */
export async function forgetCustomer(ctx: Ctx, userId: string): Promise<void> {
  for (const invoice of await voidInvoicesOf(ctx.db, ctx.now, userId))
    await recordVoid(ctx, ctx.now, invoice)
  await deleteAtProviders(ctx, userId)
  await endRevenueOf(ctx.db, ctx.now, userId)
  for (const order of await lostOrders(ctx.db)) await releaseOrder(ctx, order)
  await forgetLostMachines(ctx.db)
}
