import { randomUUID } from 'node:crypto'
import { backoffMs } from '@lodge/shared/backoff.ts'
import { contextFor } from '../../context.ts'
import { TaskFailure } from '../../fleet/tasks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import {
  type DueCopy,
  deleteStorageCopy,
  dueStorageCopies,
  taskOf,
  updateStorageCopy,
} from '../servers/index.ts'

const DROP_MS = 600_000
const AGAIN = { leastMs: 2_000, mostMs: 600_000 }

/**
 * Deletes what a change of storage has left: the former copy, or the new one of a change that failed. The
 * node first has the server lie where it is said to.
 */
async function dropCopies(services: Services): Promise<number> {
  const due = await dueStorageCopies(services.db)
  return (await Promise.all(due.map((copy) => drop(services, copy)))).filter(Boolean).length
}

async function drop(services: Services, copy: DueCopy): Promise<boolean> {
  const { serverId, nodeId, kind, storageId, placementGeneration, tries, isHere, liesOn } = copy
  const { db } = contextFor(services, { kind: 'system' } as const)
  const work = taskOf({
    ...{ do: 'drop-copy', on: storageId, placementGeneration },
    ...(isHere && { lies: liesOn }),
    ...(kind === 'vm' && { machine: true }),
  })
  try {
    const task = { taskId: randomUUID(), serverId, work }
    await services.fleet.runTask(nodeId, task, { timeoutMs: DROP_MS })
  } catch (error) {
    if (!(error instanceof Problem || error instanceof TaskFailure)) throw error
    if (error.code === 'node_unavailable') return false
    await updateStorageCopy(db, serverId, {
      tries: tries + 1,
      tryAt: new Date(Date.now() + backoffMs(tries, AGAIN)),
      failure: error instanceof TaskFailure ? error.detail : error.message,
    })
    return false
  }
  await deleteStorageCopy(db, serverId)
  return true
}

export const storagePeriodicTasks = [
  periodicTask('moves.storage-copies', 3, async (services) => ({
    dropped: await dropCopies(services),
  })),
]
