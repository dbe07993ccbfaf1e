import type { SuspensionCause } from '@lodge/shared/servers.ts'
import type { Ctx } from '../../../context.ts'
import { announceAccess } from '../access/collaborators.ts'
import { collaboratorsOf } from '../access/store.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { deleteHold } from '../hold-store.ts'
import { newsOf } from '../news/news.ts'
import { lockServer, serverIdsOf } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import { suspend } from './suspension.ts'

/**
 * Calls `change` for every server of an owner, in the caller's transaction, which has locked the
 * owner.
 * @param change returns whether it changed the rights of collaborators, whose connections are then
 * closed
 */
async function eachServerOf(
  ctx: Ctx,
  ownerId: string,
  change: (row: ServerRow) => Promise<boolean>,
): Promise<void> {
  const ids = await serverIdsOf(ctx.db, ownerId)
  const people = await collaboratorsOf(ctx.db, ids)
  for (const id of ids) {
    const row = await lockServer(ctx.db, id)
    if (!row || !(await change(row))) continue
    for (const userId of people.get(id) ?? []) await announceAccess(ctx, id, userId)
  }
}

/** Keeps every server of an owner stopped for this cause. */
export const suspendServersOf = (
  ctx: Ctx,
  ownerId: string,
  cause: SuspensionCause,
): Promise<void> =>
  eachServerOf(ctx, ownerId, async (row) => {
    await suspend(ctx, row, cause)
    return true
  })

/**
 * Lifts this cause from every server of an owner; others remain in force.
 * @param restoreRunning whether servers that were running start again, unless something else keeps
 * them stopped
 */
export const liftSuspensionsOf = (
  ctx: Ctx,
  ownerId: string,
  cause: SuspensionCause,
  restoreRunning: boolean,
): Promise<void> =>
  eachServerOf(ctx, ownerId, async (row) => {
    if (!(await deleteHold(ctx.db, row.id, 'suspension', cause))) return false
    await ctx.emit('server.unsuspended', { ...(await newsOf(ctx.db, row)), cause })
    await changeDesired(ctx, row, restoreRunning ? {} : { desiredPower: 'off' })
    return true
  })
