import type { Ctx } from '../../context.ts'
import { findSaga } from '../../jobs/sagas/saga-store.ts'
import { findNode } from '../nodes/index.ts'
import { lockServer, SOURCE_LOST } from '../servers/index.ts'
import { movesFromNode } from './lost-store.ts'

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
  let given = 0
  for (const { jobId, serverId } of jobs.filter((job) => serverIds?.has(job.serverId) ?? true))
    given += (await giveUp(ctx, { jobId, serverId, nodeId })) ? 1 : 0
  return given
}

interface Given {
  readonly jobId: string
  readonly serverId: string
  readonly nodeId: string
}

/**
 * Under the lock that the move takes to change the place, from where only a rollback leads back. One that is
 * rolling back already, because a person has cancelled it, learns that it need not wait for the node.
 */
function giveUp(ctx: Ctx, { jobId, serverId, nodeId }: Given): Promise<boolean> {
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
