import type { SubscriptionEvent } from '@lodge/shared/billing/transitions.ts'
import type { Ctx } from '../../context.ts'
import { planNames } from '../plans/index.ts'
import { deletePlanServer, idOfSubscription } from '../servers/index.ts'
import { readSettings } from '../settings/index.ts'
import { detachServer } from './detach-server.ts'
import { invoicesOf } from './invoice-store.ts'
import { voidInvoice } from './invoices.ts'
import { oweBackup } from './last-backup-store.ts'
import { type Locked, moved } from './moves.ts'
import { tell } from './news.ts'
import { releaseOrder } from './orders.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'

const DAY_MS = 86_400_000

/**
 * Ends a subscription: voids what is owed, frees what was reserved, and deletes its server after the
 * time in which it can be restored.
 */
export async function endSubscription(
  ctx: Ctx,
  now: Date,
  { user, row }: Locked,
  event: SubscriptionEvent,
): Promise<store.SubscriptionRow> {
  const status = moved(row, event)
  const { keepDays } = await readSettings(ctx.db, billingSettings)
  const deleteAt = new Date(now.getTime() + keepDays * DAY_MS)
  // The invoice after a trial that was never paid for was an offer, not a debt.
  for (const invoice of await invoicesOf(ctx.db, row.id))
    if (invoice.status === 'open')
      await voidInvoice(ctx, now, invoice, event === 'trial_over' ? invoice.dueAt : now)
  await releaseOrder(ctx, await store.lockOrder(ctx.db, row.id))
  // The only server of a subscription that never began is one that its customer had before.
  const isDeleted = event === 'checkout_over' && (await detachServer(ctx, row, deleteAt))
  if (event !== 'checkout_over') await deletePlanServer(ctx, row.id, deleteAt)
  const serverId = await idOfSubscription(ctx.db, row.id)
  if (event === 'terminated' && serverId !== undefined)
    await oweBackup(ctx.db, now, row.id, serverId)
  const plan = (await planNames(ctx.db, [row.planId])).get(row.planId) ?? ''
  if (status === 'canceled' || isDeleted)
    await tell(ctx, user, 'canceled', { plan, subscriptionId: row.id, until: deleteAt })
  return store.updateSubscription(ctx.db, now, row.id, {
    ...{ status, endedAt: now, nextAt: null, expiresAt: null },
    ...{ suspendedFor: null, suspensionReason: null },
    ...{ pendingPriceId: null, pendingAt: null, pendingInvoiceId: null },
  })
}
