import { randomUUID } from 'node:crypto'
import { contextFor } from '../../context.ts'
import { TaskFailure } from '../../fleet/tasks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { discardOf, lockServer, notePart } from '../servers/index.ts'
import { leavePlace } from './places.ts'
import { findMove, leftovers, lostLeftovers } from './store.ts'
import type { ServerMoveRow } from './tables.ts'

const DISCARD_MS = 300_000

/** Deletes former copies of servers that are proven on their new node. */
async function discardLeftovers(services: Services): Promise<number> {
  for (const move of await lostLeftovers(services.db)) await leaveToNode(services, move)
  const discarded = await Promise.all(
    (await leftovers(services.db)).map((move) => discard(services, move)),
  )
  return discarded.filter(Boolean).length
}

async function discard(services: Services, move: ServerMoveRow): Promise<boolean> {
  const { serverId, otherNodeId: nodeId, placementGeneration, filesOn } = move
  const work = discardOf('container', placementGeneration, filesOn ?? undefined)
  try {
    await services.fleet.runTask(
      nodeId,
      { taskId: randomUUID(), serverId, work },
      { timeoutMs: DISCARD_MS },
    )
  } catch (error) {
    if (!(error instanceof Problem || error instanceof TaskFailure)) throw error
    if (error.code !== 'node_unavailable') await leaveToNode(services, move)
    return false
  }
  const ctx = contextFor(services, { kind: 'system' } as const)
  await leavePlace(ctx, { serverId, otherNodeId: nodeId })
  return true
}

/**
 * Neither the server nor its reservations wait for a node that is lost or cannot delete the copy: the
 * deletion is recorded as due and retried with growing delays.
 */
async function leaveToNode(services: Services, move: ServerMoveRow): Promise<void> {
  const { serverId, otherNodeId: nodeId, placementGeneration } = move
  const filesOn = move.filesOn ?? undefined
  await contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    await lockServer(ctx.db, serverId)
    const present = await findMove(ctx.db, serverId)
    if (present?.state !== 'left' || present.placementGeneration !== placementGeneration) return
    await notePart(ctx, { serverId, nodeId, kind: 'container', placementGeneration, filesOn })
    await leavePlace(ctx, { serverId, otherNodeId: nodeId })
  })
}

export const movePeriodicTasks = [
  periodicTask('moves.leftovers', 3, async (services) => ({
    discarded: await discardLeftovers(services),
  })),
]
