import { setTimeout as pause } from 'node:timers/promises'
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
const PRUNE_SECONDS = 300
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

/**
 * Prunes on all nodes at once, one repository at a time on each. A prune may hang for hours, so while some
 * are under way, this goes on with the other nodes.
 */
async function pruneRepositories(services: Services, stopped?: AbortSignal): Promise<number> {
  const { db, log } = services
  const byNode = new Map<string, Promise<void>>()
  let pruned = 0
  while (!stopped?.aborted) {
    for (const { id, nodeId } of await prunable(db, [...byNode.keys()])) {
      const claim = await claimPrune(db, id)
      if (claim === undefined) continue
      const run = succeeds(() => prune(services, id, nodeId, claim))
        .then((isDone) => {
          if (isDone) pruned += 1
        })
        .catch((err) => log.warn({ err, repositoryId: id }, 'a prune failed, it is tried again'))
        .finally(() => byNode.delete(nodeId))
      byNode.set(nodeId, run)
    }
    if (byNode.size === 0) break
    await firstOf(byNode.values(), PRUNE_SECONDS * 1000, stopped)
  }
  return pruned
}

async function prune(services: Services, id: string, nodeId: string, claim: string): Promise<void> {
  const repository = await openRepository(services, id, { nodeId, access: 'delete' })
  const work = taskOf({ do: 'prune', repository })
  await services.fleet.runTask(nodeId, { work }, { timeoutMs: PRUNE_MS })
  await endPrune(services.db, id, claim)
}

/** Resolves when one of them has ended, or the time is over. */
async function firstOf(
  running: Iterable<Promise<void>>,
  ms: number,
  stopped?: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, ...(stopped ? [stopped] : [])])
  const later = pause(ms, undefined, { signal }).catch(() => undefined)
  await Promise.race([...running, later])
  over.abort()
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
  periodicTask('backups.prune', PRUNE_SECONDS, async (services, stopped) => ({
    pruned: await pruneRepositories(services, stopped),
  })),
  periodicTask('backups.failed', 3600, async (services) => ({
    failed: await deleteOldFailed(services.db, SHOWN_FAILED_DAYS),
  })),
]
