import { randomUUIDv7 } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import type { PlanRow } from '../plans/index.ts'
import { findServer, fitsOnDisk, takeOverServer } from '../servers/index.ts'
import { DELETED_BY } from './detach-server.ts'
import { reserveGrowth } from './growth.ts'
import { isDisputed } from './refunds/refund-store.ts'
import * as store from './subscription-store.ts'

const wrong = (detail: string) => invalid([{ pointer: '/serverId', detail }])

/**
 * Gives an existing server of a customer to a new subscription of theirs, and cancels its deletion: it gets
 * the size of the plan once the subscription begins. The caller has locked the customer.
 */
export async function attachServer(
  ctx: Ctx,
  now: Date,
  { id: subscriptionId, userId }: store.SubscriptionRow,
  { preset }: PlanRow,
  serverId: string,
): Promise<void> {
  if (!preset) throw wrong('cannot be used: this plan has no server')
  const server = await findServer(ctx.db, serverId)
  if (server?.ownerId !== userId) throw wrong('is not a server of this customer')
  if ((preset.vm !== undefined) !== (server.kind === 'vm'))
    throw wrong('is of another kind than the servers of this plan')
  const { subscriptionId: beforeId } = server
  const before = beforeId === null ? undefined : await store.findSubscription(ctx.db, beforeId)
  if (before && before.endedAt === null)
    throw new Problem(
      'in_use',
      'This server belongs to a subscription that goes on: change its plan instead',
    )
  if (before && (await isDisputed(ctx.db, before.id)))
    throw new Problem(
      'invalid_state',
      'A payment of its former subscription is disputed: wait until that is decided',
    )
  const [template] = preset.templateIds
  const templateId = server.templateId ?? template
  if (templateId === undefined) throw wrong('has no template, and neither has the plan')
  // A container's disk shrinks as far as its files fit, and a machine's never does.
  const isSmaller = preset.diskMb < server.diskMb
  if (isSmaller && (server.kind === 'vm' || !(await fitsOnDisk(ctx.db, serverId, preset.diskMb))))
    throw new Problem(
      'invalid_state',
      'Its files may not fit on the disk of this plan: choose a plan with a larger one',
    )
  const taken = await takeOverServer(ctx, now, serverId, userId, subscriptionId)
  if (!taken)
    throw new Problem(
      'invalid_state',
      'The deletion of this server has begun: create a new one instead',
    )
  if (taken.deleter !== undefined)
    await store.insertStep(ctx.db, {
      ...{ subscriptionId, step: DELETED_BY[taken.deleter], since: now, doneAt: now },
    })
  await store.insertOrder(ctx.db, {
    ...{ id: randomUUIDv7(), subscriptionId, name: server.name, templateId, preset },
    state: 'reserved',
  })
  await reserveGrowth(ctx, subscriptionId, preset).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'change_blocked') throw error
    throw new Problem(
      'no_capacity',
      'The node of this server has no room for this plan: move the server first, or choose a smaller plan',
    )
  })
}
