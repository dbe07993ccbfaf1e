import { contextFor } from '../../context.ts'
import { TaskFailure } from '../../fleet/tasks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { taskOf } from '../servers/index.ts'
import { adoptOrphans, deleteRepository, emptyOrphans } from './orphan-store.ts'
import { openRepository } from './repositories.ts'
import { FORMER_HOURS } from './restore-sagas.ts'
import { deleteRestore, provenRestores } from './restore-store.ts'
import {
  claimPrune,
  deleteOldFailed,
  dropForgotten,
  endPrune,
  leftovers,
  prunable,
} from './tidy-store.ts'

const FORGET_MS = 600_000
const PRUNE_MS = 6 * 3_600_000
const SHOWN_FAILED_DAYS = 30

/** Deletes former data whose restore is proven. */
async function settleRestores(services: Services): Promise<number> {
  const proven = await provenRestores(services.db, FORMER_HOURS)
  return await countDone(proven, async ({ serverId, restoreId, nodeId }) => {
    const work = taskOf({ do: 'settle', restoreId })
    await services.fleet.runTask(nodeId, { serverId, work }, { timeoutMs: FORGET_MS })
    const ctx = contextFor(services, { kind: 'system' } as const)
    await ctx.transaction(async ({ db, live }) => {
      await deleteRestore(db, serverId, restoreId)
      await live.announce(db, { kind: 'backups', id: serverId })
    })
  })
}

async function forgetLeftovers(services: Services): Promise<number> {
  return await countDone(await leftovers(services.db), async (left) => {
    const { repositoryId, nodeId, backupIds } = left
    const given = { nodeId, access: 'delete' } as const
    const repository = await openRepository(services, repositoryId, given)
    const work = taskOf({ do: 'forget', repository, backupIds })
    await services.fleet.runTask(nodeId, { work }, { timeoutMs: FORGET_MS })
    await dropForgotten(services.db, backupIds)
  })
}

/** Deletes repositories of removed nodes as a whole, once they are empty. */
async function dropEmptyOrphans(services: Services): Promise<number> {
  return await countDone(await emptyOrphans(services.db), async ({ id, storageNodeId }) => {
    const work = taskOf({ do: 'drop', repositoryId: id })
    await services.fleet.runTask(storageNodeId, { work }, { timeoutMs: FORGET_MS })
    await deleteRepository(services.db, id)
  })
}

/** Concurrently, so that a node or storage that does not answer delays no other. */
async function countDone<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<number> {
  const done = await Promise.all(items.map((item) => succeeds(() => work(item))))
  return done.filter(Boolean).length
}

async function pruneRepositories(services: Services): Promise<number> {
  let pruned = 0
  for (const { id, nodeId } of await prunable(services.db)) {
    const claim = await claimPrune(services.db, id)
    if (claim === undefined) continue
    const run = async () => {
      const repository = await openRepository(services, id, { nodeId, access: 'delete' })
      const work = taskOf({ do: 'prune', repository })
      await services.fleet.runTask(nodeId, { work }, { timeoutMs: PRUNE_MS })
      await endPrune(services.db, id, claim)
    }
    if (await succeeds(run)) pruned += 1
  }
  return pruned
}

/** If a node is offline or a storage does not answer, the next round tries again. */
async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Problem || error instanceof TaskFailure) return false
    throw error
  }
}

export const backupPeriodicTasks = [
  periodicTask('backups.leftovers', 3, async (services) => ({
    settled: await settleRestores(services),
    dropped: await dropEmptyOrphans(services),
    adopted: await adoptOrphans(services.db),
    forgotten: await forgetLeftovers(services),
  })),
  periodicTask('backups.prune', 300, async (services) => ({
    pruned: await pruneRepositories(services),
    failed: await deleteOldFailed(services.db, SHOWN_FAILED_DAYS),
  })),
]
