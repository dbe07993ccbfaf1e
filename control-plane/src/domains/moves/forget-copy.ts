import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import type { NodeRow } from '../nodes/index.ts'
import {
  forgetStorageCopy,
  isChangingStorage,
  lockServer,
  lockStorageCopy,
} from '../servers/index.ts'
import { loseAwaySnapshots } from '../vms/index.ts'

/**
 * Gives up the deletion of a copy, for example on a storage that never returns, so that its server can
 * change its storage again. A later change to that storage deletes what it finds of the server.
 */
export function forgetCopy(
  ctx: Ctx,
  { id: nodeId, name }: Pick<NodeRow, 'id' | 'name'>,
  serverId: string,
  confirmed = false,
): Promise<void> {
  return ctx.transaction(async (ctx) => {
    const { db } = ctx
    await lockServer(db, serverId)
    const copy = await lockStorageCopy(db, { serverId, nodeId })
    if (!copy) throw notFound('copy')
    if (await isChangingStorage(db, serverId))
      throw new Problem(
        'job_in_progress',
        'The server is changing its storage: wait for it, or cancel that job first',
      )
    if (copy.isBeingDeleted)
      throw new Problem('conflict', `${name} is deleting this copy: look again in a minute`)
    if (!confirmed)
      throw new Problem(
        'confirmation_required',
        `The files of the copy stay where they are, and ${name} deletes them no more: send confirm as true to forget it`,
      )
    await forgetStorageCopy(db, copy)
    await loseAwaySnapshots(ctx, serverId)
    await ctx.live.announce(db, { kind: 'node', id: nodeId })
  })
}
