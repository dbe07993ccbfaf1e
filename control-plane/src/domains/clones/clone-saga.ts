import { z } from 'zod'
import { requireNotCancelled } from '../../jobs/sagas/cancellation.ts'
import { Permanent, type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { BackupSource, dropSource, madeSource, placeFiles, settleFiles } from '../backups/index.ts'
import { isLost } from '../nodes/index.ts'
import {
  endOperation,
  findServer,
  isGivenUp,
  lockServer,
  removeFromLost,
  removeFromNode,
} from '../servers/index.ts'

/** Keeps a clone stopped until it has its files. */
export const CLONING = { kind: 'restoring', cause: 'clone' } as const

const Clone = BackupSource.extend({
  serverId: z.uuid(),
  nodeId: z.uuid(),
  restoreId: z.uuid(),
})
type Clone = z.infer<typeof Clone>

/**
 * Installs a new server and replaces its files, or a machine's disks, with those of a backup. If
 * anything fails, the new server is removed; the original is only read.
 */
export const cloneSaga = saga('server.clone', Clone)
  .step('Install', {
    do: (clone, tools) => installed(clone, tools),
    // The backup of the original began together with the clone, even if the next step is never
    // reached.
    async undo(clone, tools) {
      await dropSource(clone, tools, { later: await isTargetLost(clone, tools) })
      await removed(clone, tools)
    },
  })
  .step('Back up the original', { do: (clone, tools) => madeSource(clone, tools) })
  .step('Copy the files', {
    do: (clone, tools) => placeFiles(clone, tools),
    async undo(clone, tools) {
      if (!(await isTargetLost(clone, tools))) await settleFiles(clone, tools)
    },
  })
  .step('Finish', {
    async do(clone, tools) {
      await settleFiles(clone, tools)
      await dropSource(clone, tools)
      await tools.ctx.transaction(async (ctx) => {
        // Giving up takes the same lock.
        await lockServer(ctx.db, clone.serverId)
        const isNew = await endOperation(ctx, clone.serverId, CLONING)
        if (isNew) await requireNotCancelled(ctx.db, tools.job.id)
      })
    },
  })

/** Waits, without a worker, until the node has installed it. */
async function installed({ serverId }: Clone, { ctx, waitUntil, progress }: StepTools) {
  const row = await findServer(ctx.db, serverId)
  if (!row) throw new Permanent('not_found', 'The new server is gone')
  const { generation } = row
  await progress(null, 'Waiting for the node to install it')
  await waitUntil({ kind: 'generation-settled', generation }, async () => {
    const now = await findServer(ctx.db, serverId)
    return !now || now.settledGeneration >= generation
  })
  const now = await findServer(ctx.db, serverId)
  if (!now) throw new Permanent('not_found', 'The new server is gone')
  if (now.failure) throw new Permanent(now.failure.code, now.failure.detail)
}

/** Whether the clone's target node is lost, so that nothing need wait for it. */
const isTargetLost = async ({ nodeId }: Clone, tools: StepTools): Promise<boolean> =>
  (await isGivenUp(tools)) || (await isLost(tools.ctx.db, nodeId))

/**
 * Waits until the node has removed it and its reservations are gone. A lost node does so once it is
 * back.
 */
async function removed(clone: Clone, tools: StepTools): Promise<void> {
  const { ctx, waitUntil } = tools
  const { serverId } = clone
  if (await isTargetLost(clone, tools)) return removeFromLost(ctx, serverId, tools.job.id)
  await removeFromNode(ctx, serverId)
  const row = await findServer(ctx.db, serverId)
  if (!row) return
  await waitUntil({ kind: 'generation-settled', generation: row.generation }, async () => {
    return (await findServer(ctx.db, serverId)) === undefined
  })
}
