import { randomUUID } from 'node:crypto'
import { backoffMs } from '@lodge/shared/backoff.ts'
import { type Ctx, contextFor } from '../../context.ts'
import { TaskFailure } from '../../fleet/tasks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import {
  claimStorageCopies,
  type DueCopy,
  deleteStorageCopy,
  endClaim,
  keepOutOfReach,
  lockServer,
  renewClaim,
  taskOf,
} from '../servers/index.ts'
import { loseAwaySnapshots } from '../vms/index.ts'

const DROP_MS = 600_000
const AGAIN = { leastMs: 2_000, mostMs: 600_000 }
/** A process that ends leaves the copy to others soon after. */
const CLAIM_SECONDS = 15
const RENEW_MS = 5_000

/**
 * Deletes what a change of storage has left: the former copy, or the new one of a change that failed. The
 * node first has the server lie where it is said to.
 *
 * Only one process deletes a copy at a time, none while a job changes the storage of the server, and no
 * such job begins before the copy is forgotten. Should a claim have ended too early all the same, the node
 * does one piece of work after the other and never deletes what is in place, so the worst is a change
 * that fails for want of its copy.
 */
async function dropCopies(services: Services): Promise<number> {
  await keepOutOfReach(services.db)
  const due = await claimStorageCopies(services.db, CLAIM_SECONDS)
  return (await Promise.all(due.map((copy) => drop(services, copy)))).filter(Boolean).length
}

async function drop(services: Services, copy: DueCopy): Promise<boolean> {
  const { serverId, nodeId, kind, storageId, placementGeneration, tries } = copy
  const { isHere, liesOn } = copy
  const ctx = contextFor(services, { kind: 'system' } as const)
  const { db } = ctx
  const work = taskOf({
    ...{ do: 'drop-copy', on: storageId, placementGeneration },
    ...(isHere && { lies: liesOn }),
    ...(kind === 'vm' && { machine: true }),
  })
  const renewing = setInterval(() => {
    void renewClaim(db, copy, CLAIM_SECONDS).catch(() => undefined)
  }, RENEW_MS)
  try {
    const task = { taskId: randomUUID(), serverId, work }
    await services.fleet.runTask(nodeId, task, { timeoutMs: DROP_MS })
  } catch (error) {
    if (!(error instanceof Problem || error instanceof TaskFailure)) throw error
    if (error.code === 'node_unavailable') return false
    if (!isHere && error.code === 'not_permitted') {
      // The server is elsewhere since, and what lies here is its former copy as a whole, which goes with the
      // record of that. On a storage, this one can be deleted once the node has forgotten the former copy.
      if (storageId === null) await forget(ctx, copy)
      else {
        const tryAt = new Date(Date.now() + AGAIN.mostMs)
        await endClaim(db, copy, { tryAt, failure: null })
      }
      return storageId === null
    }
    await endClaim(db, copy, {
      tries: tries + 1,
      tryAt: new Date(Date.now() + backoffMs(tries, AGAIN)),
      failure: error instanceof TaskFailure ? error.detail : error.message,
    })
    return false
  } finally {
    clearInterval(renewing)
  }
  await forget(ctx, copy)
  return true
}

/** The snapshots that went with the copy are gone, too. */
const forget = (ctx: Ctx, copy: DueCopy): Promise<void> =>
  ctx.transaction(async (ctx) => {
    await lockServer(ctx.db, copy.serverId)
    if (await deleteStorageCopy(ctx.db, copy)) await loseAwaySnapshots(ctx, copy.serverId)
  })

export const storagePeriodicTasks = [
  periodicTask('moves.storage-copies', 3, async (services) => ({
    dropped: await dropCopies(services),
  })),
]
