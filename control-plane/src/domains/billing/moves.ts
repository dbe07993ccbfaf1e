import { type SubscriptionEvent, statusAfter } from '@lodge/shared/billing/transitions.ts'
import type { SubscriptionStatus } from '@lodge/shared/plans.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { lockOwner, type UserRow } from '../customers/index.ts'
import * as store from './subscription-store.ts'

const isOver = (status: SubscriptionStatus): boolean =>
  status === 'canceled' || status === 'expired'

/**
 * The status after an event.
 * @throws {Problem} subscription_ended or invalid_transition, if the event is not possible in this
 * status
 */
export function moved(
  { status }: Pick<store.SubscriptionRow, 'status'>,
  event: SubscriptionEvent,
): SubscriptionStatus {
  const next = statusAfter(status, event)
  if (next !== undefined) return next
  if (isOver(status))
    throw new Problem('subscription_ended', 'The subscription ended: buy the plan again instead')
  throw new Problem(
    'invalid_transition',
    `This is not possible while the subscription is ${status.replace('_', ' ')}`,
  )
}

export interface Locked {
  readonly user: UserRow
  readonly row: store.SubscriptionRow
}

/**
 * Locks a subscription for a change, after its customer: the same order everywhere prevents
 * deadlocks.
 */
export async function withSubscription<T>(
  ctx: Ctx,
  { id, userId }: Pick<store.SubscriptionRow, 'id' | 'userId'>,
  work: (ctx: Ctx, locked: Locked) => Promise<T>,
): Promise<T> {
  return ctx.transaction(async (ctx) => {
    const user = await lockOwner(ctx.db, userId)
    const row = await store.lockRow(ctx.db, id)
    if (!user || !row) throw notFound('subscription')
    return work(ctx, { user, row })
  })
}
