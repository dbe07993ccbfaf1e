import type { Ctx } from '../../context.ts'
import { findSaga } from '../../jobs/sagas/saga-store.ts'
import { findNode } from '../nodes/index.ts'
import { lockServer, SOURCE_LOST } from '../servers/index.ts'
import { giveUpEach } from './give-up-each.ts'
import { movesFromNode, type ServerJob } from './lost-store.ts'

/**
 * Gives up the moves from a node, in the transaction that makes it count as lost or sees that it still is,
 * so that failover can bring those servers back: nothing else ends the wait for the node. One that has
 * changed its place is not concerned, because it may have run there.
 * @param serverIds only of these; by default of all
 * @returns how many
 */
export async function giveUpMovesFrom(
  ctx: Ctx,
  nodeId: string,
  serverIds?: ReadonlySet<string>,
): Promise<number> {
  const jobs = await movesFromNode(ctx.db, nodeId)
  const its = jobs.filter(({ serverId }) => serverIds?.has(serverId) ?? true)
  return giveUpEach(its, (job) => giveUp(ctx, nodeId, job))
}

/**
 * Under the lock that the move takes to change the place, from where only a rollback leads back. One that is
 * rolling back already, because a person has cancelled it, learns that it need not wait for the node.
 */
function giveUp(ctx: Ctx, nodeId: string, { jobId, serverId }: ServerJob): Promise<boolean> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    const saga = await findSaga(ctx.db, jobId)
    if (row?.nodeId !== nodeId || !saga || saga.brokenOff?.code === SOURCE_LOST) return false
    // Its target is lost, too, which the rollback has to remember first.
    if (saga.brokenOff && !saga.rollback) return false
    const name = (await findNode(ctx.db, nodeId))?.name ?? 'Its node'
    await ctx.jobs.sagas.cancel(ctx.db, jobId, {
      code: SOURCE_LOST,
      detail: `${name} was lost while the server moved away from it. Its page says where it is now`,
    })
    return true
  })
}
