import { type Ctx, contextFor } from '../../context.ts'
import { ONLINE } from '../../fleet/online.ts'
import { TaskFailure } from '../../fleet/tasks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { LOST } from '../nodes/index.ts'
import { discardOf, lockServer, notePart } from '../servers/index.ts'
import { endMove, filesOnOther } from './moves/move-places.ts'
import { deleteOldGrants, findMove, markProven, provenMoves } from './store.ts'
import type { MoveRow } from './tables.ts'

const DISCARD_MS = 60_000

/** Deletes former copies of machines that have booted on their new node. */
async function discardLeftovers(services: Services): Promise<number> {
  await markProven(services.db)
  for (const move of await provenMoves(services.db, LOST)) await leaveToNode(services, move)
  const discarded = await Promise.all(
    (await provenMoves(services.db, ONLINE)).map((move) => discard(services, move)),
  )
  return discarded.filter(Boolean).length
}

async function discard(services: Services, move: MoveRow): Promise<boolean> {
  const { serverId, otherNodeId: nodeId, placementGeneration } = move
  try {
    await services.fleet.runTask(
      nodeId,
      { serverId, work: discardOf('vm', placementGeneration, filesOnOther(move)) },
      { timeoutMs: DISCARD_MS },
    )
  } catch (error) {
    if (!(error instanceof Problem || error instanceof TaskFailure)) throw error
    if (error.code !== 'node_unavailable') await leaveToNode(services, move)
    return false
  }
  await ended(services, move)
  return true
}

/**
 * Neither the machine nor its reservations wait for a node that is lost or cannot delete the copy:
 * the deletion is recorded as due and retried with growing delays.
 */
const leaveToNode = (services: Services, move: MoveRow): Promise<void> =>
  ended(services, move, async (ctx) => {
    const { serverId, otherNodeId: nodeId, placementGeneration } = move
    const filesOn = filesOnOther(move)
    await notePart(ctx, { serverId, nodeId, kind: 'vm', placementGeneration, filesOn })
  })

/** Releases the reservations there, unless the machine has moved again. */
async function ended(
  services: Services,
  { serverId, otherNodeId, placementGeneration }: MoveRow,
  before: (ctx: Ctx) => Promise<void> = async () => undefined,
): Promise<void> {
  await contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    await lockServer(ctx.db, serverId)
    const present = await findMove(ctx.db, serverId)
    if (present?.placementGeneration !== placementGeneration || !present.provenAt) return
    await before(ctx)
    await endMove(ctx, serverId, otherNodeId)
  })
}

export const vmPeriodicTasks = [
  periodicTask('vms.leftovers', 3, async (services) => ({
    discarded: await discardLeftovers(services),
  })),
  periodicTask('vms.tidy', 600, async ({ db }) => ({ grants: await deleteOldGrants(db) })),
]
