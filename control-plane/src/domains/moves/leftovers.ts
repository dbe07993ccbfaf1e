import { randomUUID } from 'node:crypto'
import { contextFor } from '../../context.ts'
import { TaskFailure } from '../../fleet/tasks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { leavePlace } from './places.ts'
import { leftovers } from './store.ts'
import type { ServerMoveRow } from './tables.ts'

const DISCARD_MS = 300_000

/** Deletes the former copies of servers that are proven in their new place. */
async function discardLeftovers(services: Services): Promise<number> {
  const discarded = await Promise.all(
    (await leftovers(services.db)).map((move) => discard(services, move)),
  )
  return discarded.filter(Boolean).length
}

async function discard(services: Services, move: ServerMoveRow): Promise<boolean> {
  const { serverId, otherNodeId: nodeId, placementGeneration } = move
  const document = JSON.stringify({ do: 'discard', placementGeneration })
  try {
    await services.fleet.runTask(
      nodeId,
      { taskId: randomUUID(), serverId, work: { $case: 'backupWork', value: { document } } },
      { timeoutMs: DISCARD_MS },
    )
  } catch (error) {
    // An offline node still has the copy; the task is repeated until it confirms the deletion.
    if (error instanceof Problem || error instanceof TaskFailure) return false
    throw error
  }
  const ctx = contextFor(services, { kind: 'system' } as const)
  await leavePlace(ctx, { serverId, otherNodeId: nodeId })
  return true
}

export const movePeriodicTasks = [
  periodicTask('moves.leftovers', 3, async (services) => ({
    discarded: await discardLeftovers(services),
  })),
]
