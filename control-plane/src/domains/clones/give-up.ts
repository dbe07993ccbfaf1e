import { type Ctx, contextFor } from '../../context.ts'
import { findJob } from '../../jobs/board/store.ts'
import { watcher } from '../../jobs/periodic-task.ts'
import { findNode, surelyLost } from '../nodes/index.ts'
import { findView, lockServer, newsOf, TARGET_LOST } from '../servers/index.ts'
import { CLONING } from './clone-saga.ts'
import { ANY_LOST_CLONE, clonesOfLost, clonesOfNode, type WaitingClone } from './lost-store.ts'

/**
 * Gives up a clone that waits for a lost node, unless the clone is complete and thus its owner's
 * already; the saga takes the same lock for its last step.
 * @returns whether there is still something to give up
 */
function giveUp(ctx: Ctx, { jobId, serverId, nodeId }: WaitingClone): Promise<boolean> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    const job = await findJob(ctx.db, jobId)
    if (!row || !job || job.endedAt !== null || job.cancelRequested) return false
    const view = await findView(ctx.db, serverId)
    if (!view?.holds.some(({ kind }) => kind === CLONING.kind)) return false
    const name = (await findNode(ctx.db, nodeId))?.name ?? 'Its node'
    const isTarget = row.nodeId === nodeId
    await ctx.jobs.sagas.cancel(ctx.db, jobId, {
      code: isTarget ? TARGET_LOST : 'source_lost',
      detail: isTarget
        ? `${name} was lost before the clone was complete, so nothing is left of it, and the original is as it was. Clone it to a node that is connected. ${name} deletes its part when it is back`
        : `${name}, which has the original, was lost before its files were copied, so nothing is left of the clone. Clone one of its backups, or wait until ${name} is back`,
    })
    await ctx.emit('server.clone_given_up', {
      ...(await newsOf(ctx.db, row)),
      ...{ isTarget, nodeName: name },
    })
    return true
  })
}

/**
 * Gives up the clones that wait for a node, in the transaction in which the node becomes lost.
 * @returns how many
 */
export async function giveUpClonesOn(ctx: Ctx, nodeId: string): Promise<number> {
  let given = 0
  for (const clone of await clonesOfNode(ctx.db, nodeId))
    given += (await giveUp(ctx, clone)) ? 1 : 0
  return given
}

/** Looks at the state rather than at events, so that the next round catches what one missed. */
export const lostClones = watcher('clones.lost', ANY_LOST_CLONE, async (services) => {
  const ctx = contextFor(services, { kind: 'system' } as const)
  let given = 0
  for (const clone of surelyLost(services, 'clones', await clonesOfLost(ctx.db)))
    given += (await giveUp(ctx, clone)) ? 1 : 0
  return { given }
})
