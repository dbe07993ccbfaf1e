import type { Ctx } from '../../context.ts'
import { type InvoiceRow, invoicesOf, updateInvoice } from './invoice-store.ts'
import { GIFT } from './renewal.ts'
import * as store from './subscription-store.ts'

/** Has the next period begin later: its renewal if that is paid already, or the gift that it is. */
export async function delayNextPeriod(
  ctx: Ctx,
  now: Date,
  { id }: store.SubscriptionRow,
  { from, to, endOf }: { from: Date; to: Date; endOf: (paid: InvoiceRow) => Date | null },
): Promise<void> {
  for (const invoice of await invoicesOf(ctx.db, id))
    if (invoice.kind === 'renewal' && invoice.status === 'paid' && isFrom(invoice, from))
      await updateInvoice(ctx.db, invoice.id, { periodStart: to, periodEnd: endOf(invoice) })
  if ((await store.stepsOf(ctx.db, id, from)).has(GIFT))
    await store.insertStep(ctx.db, { subscriptionId: id, step: GIFT, since: to, doneAt: now })
}

const isFrom = ({ periodStart }: InvoiceRow, boundary: Date): boolean =>
  periodStart !== null && periodStart >= boundary
