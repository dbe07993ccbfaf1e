import type { Ctx } from '../../context.ts'
import { findSaga } from '../../jobs/sagas/saga-store.ts'
import { findNode } from '../nodes/index.ts'
import { hasHold, lockServer } from '../servers/index.ts'
import { giveUpEach } from './give-up-each.ts'
import { storageJobsOn } from './lost-store.ts'
import { CHANGING, Change, letStart, put } from './storage-saga.ts'

/**
 * Gives up the changes of storage on a node, in the transaction that makes it count as lost or sees that
 * it still is: from then on its servers lie for good where their rows say, so that failover can bring them
 * back with these files.
 * @param serverIds only of these; by default of all
 * @returns how many
 */
export async function giveUpStorageChanges(
  ctx: Ctx,
  nodeId: string,
  serverIds?: ReadonlySet<string>,
): Promise<number> {
  const jobs = await storageJobsOn(ctx.db, nodeId)
  const its = jobs.filter(({ serverId }) => serverIds?.has(serverId) ?? true)
  return giveUpEach(its, ({ input, ...job }) =>
    giveUp(ctx, { ...job, change: Change.parse(input) }),
  )
}

interface Given {
  readonly jobId: string
  readonly serverId: string
  readonly change: Change
}

/**
 * Before the storage has changed, the former copy is complete, and the job changes it no more. Afterwards,
 * as long as the server is held both copies are the same, and that on a shared storage is the one which
 * outlives the node. One that takes a copy stays on that, which is not the same, unless it is on the disk of
 * the node. A server that may have run on the new storage stays there.
 */
function giveUp(ctx: Ctx, { jobId, serverId, change }: Given): Promise<boolean> {
  return ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, serverId)
    const saga = await findSaga(ctx.db, jobId)
    // One that is rolling back does not wait for the node.
    if (row?.nodeId !== change.nodeId || !saga || saga.brokenOff || saga.rollback) return false
    const { from, to, takesCopyOf } = change
    if (row.storageId === to && (await hasHold(ctx.db, serverId, CHANGING))) {
      if (from === null || (takesCopyOf && to !== null)) await letStart(ctx, change)
      else await put(ctx, change, { from: to, to: from })
    }
    const name = (await findNode(ctx.db, change.nodeId))?.name ?? 'Its node'
    await ctx.jobs.sagas.cancel(ctx.db, jobId, {
      code: 'node_lost',
      detail: `${name} was lost while the server changed its storage. Its page says where it lies now`,
    })
    return true
  })
}
