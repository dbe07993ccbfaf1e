import { monthlyAmount } from '@lodge/shared/billing/mrr.ts'
import type { SubscriptionStatus } from '@lodge/shared/plans.ts'
import type { Db } from '../../../db/database.ts'
import { findPrices } from '../../plans/index.ts'
import { append, type EntryRow, lastOf, type NewEntry, presentOf } from './entry-store.ts'

interface Subscribed {
  readonly id: string
  readonly userId: string
  readonly status: SubscriptionStatus
  readonly priceId: string | null
  readonly anchor: Date | null
}

/**
 * Whether a subscription is recurring revenue. An overdue one counts until it is suspended; a
 * suspended one never does: that time is not billed, even if it is paid later. A trial has no anchor,
 * even while its first invoice is overdue, and counts only once a paid period has begun.
 */
const recurs = ({ status, anchor }: Subscribed): boolean =>
  (status === 'active' || status === 'past_due') && anchor !== null

/**
 * Appends the change of a subscription's monthly revenue, if it changed. It compares with the last
 * entry, so calling it too often does no harm.
 * @returns whether it appended anything
 */
export async function recordRevenue(db: Db, now: Date, row: Subscribed): Promise<boolean> {
  const last = await lastOf(db, row.id)
  const before = last && last.amount > 0 ? last : undefined
  const after = await revenueOf(db, row)
  if (before?.priceId === after?.priceId && before?.amount === after?.amount) return false
  if (before) await append(db, now, ended(before))
  if (after) await append(db, now, after)
  return true
}

/** Ends the recurring revenue of a customer who is deleted; their entries stay. */
export async function endRevenueOf(db: Db, now: Date, customerId: string): Promise<void> {
  for (const entry of await presentOf(db, customerId)) await append(db, now, ended(entry))
}

const ended = ({ id: _, at: __, balance: ___, amount, ...entry }: EntryRow): NewEntry => ({
  ...entry,
  amount: -amount,
})

async function revenueOf(db: Db, row: Subscribed): Promise<NewEntry | undefined> {
  if (!recurs(row) || row.priceId === null) return undefined
  const price = (await findPrices(db, [row.priceId])).get(row.priceId)
  const amount = price ? monthlyAmount(price.amount, price.cycle) : 0
  if (!price || amount === 0) return undefined
  return {
    ...{ customerId: row.userId, subscriptionId: row.id, planId: price.planId, priceId: price.id },
    ...{ currency: price.currency, amount },
  }
}
