import type { Ctx } from '../../context.ts'
import { readSettings } from '../settings/index.ts'
import { dropPending } from './growth.ts'
import { invoicesOf, updateInvoice } from './invoice-store.ts'
import { voidInvoice } from './invoices.ts'
import { moved, withSubscription } from './moves.ts'
import { voidRenewals } from './renewal.ts'
import { scheduleNext } from './schedule.ts'
import { billingSettings } from './settings.ts'
import * as store from './subscription-store.ts'

const PAUSABLE: readonly string[] = ['trialing', 'active', 'past_due']

/** Pauses the subscriptions of a suspended customer: nothing is billed meanwhile. */
export async function pauseSubscriptionsOf(ctx: Ctx, userId: string): Promise<void> {
  for (const one of await store.subscriptionsOf(ctx.db, userId))
    if (one.priceId !== null && PAUSABLE.includes(one.status))
      await withSubscription(ctx, one, async (ctx, { row }) => {
        const { now } = ctx
        await voidRenewals(ctx, now, row)
        for (const invoice of await invoicesOf(ctx.db, row.id))
          if (invoice.id === row.pendingInvoiceId && invoice.status === 'open')
            await voidInvoice(ctx, now, invoice)
        await store.updateSubscription(ctx.db, now, row.id, {
          ...{ status: moved(row, 'paused'), suspendedFor: 'account', suspendedAt: now },
          ...(await dropPending(ctx, row)),
          ...{ pastDueSince: null, nextAt: null },
        })
      })
}

/** Resumes them; the paid time ends later by the duration of the pause. */
export async function unpauseSubscriptionsOf(ctx: Ctx, userId: string): Promise<void> {
  for (const one of await store.subscriptionsOf(ctx.db, userId))
    if (one.suspendedFor === 'account')
      await withSubscription(ctx, one, async (ctx, { row }) => {
        const { now } = ctx
        const lost = now.getTime() - (row.suspendedAt ?? now).getTime()
        const later = (at: Date | null) => at && new Date(at.getTime() + lost)
        const inTrial = row.anchor === null
        for (const { id, kind, periodStart, periodEnd } of await invoicesOf(ctx.db, row.id))
          if (kind === 'renewal' && periodStart && row.periodEnd && periodStart >= row.periodEnd)
            await updateInvoice(ctx.db, id, {
              ...{ periodStart: later(periodStart), periodEnd: later(periodEnd) },
            })
        const next = await store.updateSubscription(ctx.db, now, row.id, {
          status: inTrial ? 'trialing' : moved(row, 'unpaused'),
          ...{ suspendedFor: null, suspendedAt: null, anchor: later(row.anchor) },
          ...{ periodStart: later(row.periodStart), periodEnd: later(row.periodEnd) },
          ...(inTrial && { trialEndsAt: later(row.trialEndsAt) }),
        })
        await scheduleNext(ctx, now, next, await readSettings(ctx.db, billingSettings))
      })
}
