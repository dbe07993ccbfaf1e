import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import type { UserRow } from '../../customers/index.ts'
import { idOfSubscription } from '../../servers/index.ts'
import { tell } from '../news.ts'
import {
  insertStep,
  type OrderRow,
  ordersOf,
  type SubscriptionRow,
  stepsOf,
} from '../subscription-store.ts'
import { refundSubscription } from './refund-subscription.ts'

const DAY_MS = 86_400_000
/** The step of a subscription whose paid server could not be made. */
const NOT_MADE = 'not_made'

/** Tells a customer that their server could not be made, and from when on they may take their money back. */
export async function offerRefund(
  ctx: Ctx,
  now: Date,
  user: Pick<UserRow, 'id' | 'email'>,
  row: SubscriptionRow,
  plan: string,
): Promise<void> {
  const { id: subscriptionId, createdAt: since } = row
  await insertStep(ctx.db, { subscriptionId, step: NOT_MADE, since, doneAt: now })
  await tell(ctx, user, 'server_delayed', {
    ...{ plan, subscriptionId, until: new Date(now.getTime() + DAY_MS) },
  })
}

/** Whether a customer may take their money back now: a day after their server could not be made. */
export async function isRefundOffered(
  ctx: Ctx,
  row: SubscriptionRow,
  order: OrderRow | undefined,
): Promise<boolean> {
  if (order?.state !== 'failed') return false
  const notMade = (await stepsOf(ctx.db, row.id, row.createdAt)).get(NOT_MADE)
  if (!notMade || ctx.now.getTime() - notMade.getTime() < DAY_MS) return false
  return (await idOfSubscription(ctx.db, row.id)) === undefined
}

/** Refunds everything that was paid for a server that could not be made, and ends its subscription. */
export async function takeBack(ctx: Ctx, row: SubscriptionRow): Promise<void> {
  const order = (await ordersOf(ctx.db, [row.id])).get(row.id)
  if (!(await isRefundOffered(ctx, row, order)))
    throw new Problem(
      'invalid_state',
      'Only what was paid for a server that could not be made within a day can be taken back: cancel instead',
    )
  await refundSubscription(ctx, ctx.now, row, 'balance')
}
