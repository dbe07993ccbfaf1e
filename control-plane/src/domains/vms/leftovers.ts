import { contextFor } from '../../context.ts'
import { TaskFailure } from '../../fleet/tasks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { endMove } from './moves/move-places.ts'
import { deleteOldGrants, findMove, markProven, provenMoves } from './store.ts'
import type { MoveRow } from './tables.ts'

const DISCARD_MS = 60_000

/** Deletes the former copies of machines that have booted in their new place. */
async function discardLeftovers(services: Services): Promise<number> {
  await markProven(services.db)
  let gone = 0
  for (const move of await provenMoves(services.db)) gone += (await discard(services, move)) ? 1 : 0
  return gone
}

async function discard(services: Services, move: MoveRow): Promise<boolean> {
  const { serverId, otherNodeId: nodeId, placementGeneration } = move
  try {
    await services.fleet.runTask(
      nodeId,
      { serverId, work: { $case: 'discardMachine', value: { placementGeneration } } },
      { timeoutMs: DISCARD_MS },
    )
  } catch (error) {
    // An offline node still has the copy; the task is repeated until it confirms the deletion.
    if (error instanceof Problem || error instanceof TaskFailure) return false
    throw error
  }
  const ctx = contextFor(services, { kind: 'system' } as const)
  const present = await findMove(services.db, serverId)
  if (present?.placementGeneration === placementGeneration && present.provenAt)
    await endMove(ctx, serverId, nodeId)
  return true
}

export const vmPeriodicTasks = [
  periodicTask('vms.leftovers', 3, async (services) => ({
    discarded: await discardLeftovers(services),
  })),
  periodicTask('vms.tidy', 600, async ({ db }) => ({ grants: await deleteOldGrants(db) })),
]
