import { randomUUID } from 'node:crypto'
import { answer } from '../../answers.ts'
import { contextFor } from '../../context.ts'
import type { EventHandlers } from '../../events/events.ts'
import { TaskFailure, type TaskWork } from '../../fleet/tasks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { findNode } from '../nodes/index.ts'
import { leftOn } from '../servers/index.ts'
import { dueCopies, hasPartial, insertCopy, updateCopy } from './store.ts'
import type { SupersededCopyRow } from './tables.ts'

/** How long a former copy is kept after its node has come back. */
export const KEPT_DAYS = 7
const STOP_MS = 120_000

/**
 * Tells nodes that come back which of their servers are elsewhere now, so that they never start them
 * again, and deletes those copies when their time is over.
 */
async function settleCopies(services: Services): Promise<{ stopped: number; deleted: number }> {
  const { tell, drop } = await dueCopies(services.db, KEPT_DAYS)
  const stopped = await Promise.all(tell.map((copy) => send(services, copy, 'supersede')))
  const deleted = await Promise.all(drop.map((copy) => send(services, copy, 'discard')))
  return { stopped: stopped.filter(Boolean).length, deleted: deleted.filter(Boolean).length }
}

async function send(
  services: Services,
  copy: SupersededCopyRow,
  work: 'supersede' | 'discard',
): Promise<boolean> {
  const { serverId, nodeId } = copy
  try {
    await services.fleet.runTask(
      nodeId,
      { taskId: randomUUID(), serverId, work: taskFor(copy, work) },
      { timeoutMs: STOP_MS },
    )
  } catch (error) {
    // A server that has moved back since is no copy any more. Everything else is tried again.
    const isBack = error instanceof TaskFailure && error.code === 'not_permitted'
    if (!isBack && !(error instanceof Problem) && !(error instanceof TaskFailure)) throw error
    if (!isBack) return false
  }
  const ctx = contextFor(services, { kind: 'system' } as const)
  await updateCopy(
    ctx.db,
    copy,
    work === 'supersede' ? { stoppedAt: ctx.now } : { deletedAt: ctx.now },
  )
  return true
}

/** A machine is told of by its own driver; only parts of one are ever left behind. */
function taskFor(
  { kind, placementGeneration }: SupersededCopyRow,
  work: 'supersede' | 'discard',
): TaskWork {
  if (kind === 'vm') return { $case: 'discardMachine', value: { placementGeneration } }
  const document = JSON.stringify({ do: work, placementGeneration })
  return { $case: 'backupWork', value: { document } }
}

/** Notes what a lost node has of a server for when it is back; a removed one never is. */
export const failoverListeners: EventHandlers = {
  async 'server.left_behind'(ctx, { nodeId, ...copy }) {
    if (await findNode(ctx.db, nodeId)) await insertCopy(ctx.db, { ...copy, nodeId })
  },
}

export const failoverAnswers = [
  answer(leftOn, (ctx, { serverId, nodeId }) => hasPartial(ctx.db, serverId, nodeId)),
]

export const failoverPeriodicTasks = [
  periodicTask('failover.copies', 3, (services) => settleCopies(services)),
]
