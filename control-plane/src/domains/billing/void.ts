import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { lockOwner } from '../customers/index.ts'
import { readSettings } from '../settings/index.ts'
import { endSubscription } from './end.ts'
import { dropPending } from './growth.ts'
import { findInvoice, type InvoiceRow } from './invoice-store.ts'
import { voidInvoice } from './invoices.ts'
import { invoicePaid } from './pay.ts'
import { GIFT } from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'

/**
 * Voids an open invoice for the host. The period of a voided renewal is free: the subscription goes
 * on as if it were paid. A purchase ends with its first invoice.
 */
export async function voidByHost(ctx: Ctx, now: Date, given: InvoiceRow): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const user = given.userId === null ? undefined : await lockOwner(ctx.db, given.userId)
    const row =
      given.subscriptionId === null ? undefined : await store.lockRow(ctx.db, given.subscriptionId)
    const invoice = await findInvoice(ctx.db, given.id)
    if (invoice?.status !== 'open')
      throw new Problem('invalid_state', 'Only an open invoice can be voided')
    const voided = await voidInvoice(ctx, now, invoice)
    if (!row || !user) return
    if (row.status === 'past_due' || row.status === 'suspended')
      return invoicePaid(ctx, now, user, row, voided)
    if (row.status === 'incomplete') {
      await endSubscription(ctx, now, { user, row }, 'checkout_over')
      return
    }
    if (invoice.kind === 'renewal' && invoice.periodStart !== null)
      await store.insertStep(ctx.db, {
        ...{ subscriptionId: row.id, step: GIFT, since: invoice.periodStart, doneAt: now },
      })
    if (row.pendingInvoiceId !== invoice.id) return
    const next = await store.updateSubscription(ctx.db, now, row.id, await dropPending(ctx, row))
    await scheduleNext(ctx, now, next, await readSettings(ctx.db, billingSettings))
  })
}
