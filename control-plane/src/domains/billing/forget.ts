import type { Ctx } from '../../context.ts'
import { releaseOrder } from './orders.ts'
import { lostOrders } from './subscription-store.ts'

/** Gives back the places that were kept for a customer who is deleted; invoices stay. */
export async function forgetCustomer(ctx: Ctx): Promise<void> {
  for (const order of await lostOrders(ctx.db)) await releaseOrder(ctx, order)
}
