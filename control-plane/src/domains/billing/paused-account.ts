import type { Db } from '../../db/database.ts'
import { isBillingPaused } from '../suspensions/index.ts'
import { moved } from './moves.ts'
import type { SubscriptionRow } from './subscription-store.ts'

type Change = Partial<SubscriptionRow>

/**
 * What begins while the billing of its account is paused, as by money that arrives late, stands still from
 * the first moment: all of its time is left once the account is free again.
 */
export async function stillIfPaused(
  db: Db,
  now: Date,
  { userId }: Pick<SubscriptionRow, 'userId'>,
  change: Change,
): Promise<Change> {
  const { status } = change
  if (status !== 'active' && status !== 'trialing') return change
  if (!(await isBillingPaused(db, userId))) return change
  const still = { suspendedFor: 'account', suspendedAt: now, nextAt: null } as const
  return { ...change, status: moved({ status }, 'paused'), ...still }
}
