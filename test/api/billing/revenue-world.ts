import { randomUUID } from 'node:crypto'
import { instantOf } from '@lodge/shared/cron/wall-clock.ts'
import type { User } from '../../../control-plane/src/actor.ts'
import { contextFor } from '../../../control-plane/src/context.ts'
import { advanceDue } from '../../../control-plane/src/domains/billing/advance.ts'
import * as cancel from '../../../control-plane/src/domains/billing/cancel.ts'
import { changePlan } from '../../../control-plane/src/domains/billing/change.ts'
import { startCheckout } from '../../../control-plane/src/domains/billing/checkout.ts'
import { findInvoice } from '../../../control-plane/src/domains/billing/invoice-store.ts'
import { recordPayment } from '../../../control-plane/src/domains/billing/pay.ts'
import { refundInvoice } from '../../../control-plane/src/domains/billing/refunds/refund.ts'
import { revenueOf } from '../../../control-plane/src/domains/billing/revenue/report.ts'
import { findSubscription } from '../../../control-plane/src/domains/billing/subscription-store.ts'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'

export const ZONE = 'Europe/Berlin'

/** The instant at which the clock of the zone shows a time such as `2027-01-31 23:30`. */
export const at = (wall: string): Date =>
  new Date(instantOf(ZONE, Date.parse(`${wall.replace(' ', 'T')}:00Z`)).atMs)

type Cycle = 'weekly' | 'monthly' | 'yearly'

/**
 * Runs billing in a future year, so that no background task of the control plane finds anything due.
 */
export function revenueWorld(lodge: Lodge, admin: Caller) {
  const { services } = lodge.controlPlane
  const { pool } = lodge.database
  const host = contextFor(services, { kind: 'system' } as const)

  const subscription = async (id: string) => {
    const row = await findSubscription(host.db, id)
    if (!row) throw new Error('no such subscription')
    return row
  }
  const invoice = async (id: string) => {
    const row = await findInvoice(host.db, id)
    if (!row) throw new Error('no such invoice')
    return row
  }
  const world = {
    plan: async (prices: readonly object[]) =>
      (
        await admin.must('POST /api/plans', {
          body: {
            ...{ name: randomUUID(), kind: 'account', visibility: 'public' },
            prices: prices as [],
          },
        })
      ).id,
    /** A purchase that is unpaid so far. */
    order: async (userId: string, planId: string, cycle: Cycle, now: Date) => {
      const ctx = contextFor(services, { kind: 'user', id: userId } as User)
      const { id, invoice } = await startCheckout(ctx, now, { planId, cycle })
      return { id, invoiceId: invoice?.id ?? '' }
    },
    pay: async (invoiceId: string, now: Date) => {
      const { total, amountPaid } = await invoice(invoiceId)
      await recordPayment(host, now, invoiceId, {
        ...{ amount: total - amountPaid, receivedAt: now, reference: '', provider: 'host' },
        externalRef: null,
      })
    },
    buy: async (userId: string, planId: string, cycle: Cycle, now: Date) => {
      const { id, invoiceId } = await world.order(userId, planId, cycle, now)
      await world.pay(invoiceId, now)
      return { id, invoiceId }
    },
    /** The open invoice of a subscription. */
    open: async (id: string) => {
      const { rows } = await pool.query<{ id: string }>(
        `select id from invoices where subscription_id = $1 and status = 'open'`,
        [id],
      )
      if (rows.length !== 1) throw new Error(`${rows.length} open invoices`)
      return rows[0]?.id ?? ''
    },
    change: async (id: string, planId: string, cycle: Cycle, now: Date) =>
      changePlan(host, now, await subscription(id), { planId, cycle }),
    cancel: async (id: string, now: Date) =>
      cancel.cancelSubscription(host, now, await subscription(id)),
    refund: async (
      invoiceId: string,
      now: Date,
      wanted: Omit<Parameters<typeof refundInvoice>[3], 'reason'>,
    ) => refundInvoice(host, now, await invoice(invoiceId), wanted),
    /** Runs the tasks due at a time until none is left. */
    advance: async (now: Date) => {
      for (let round = 0; round < 4; round += 1) {
        await pool.query('update subscriptions set next_at = $1 where next_at is not null', [now])
        await advanceDue(services, now)
      }
    },
    report: (now: Date, query: Partial<Parameters<typeof revenueOf>[1]> = {}) =>
      revenueOf({ ...host, now }, { by: 'month', periods: 12, ...query }),
  }
  return world
}
