import { randomUUID } from 'node:crypto'
import { backoffMs } from '@lodge/shared/backoff.ts'
import { answer } from '../../answers.ts'
import { type Ctx, contextFor } from '../../context.ts'
import type { EventHandlers } from '../../events/events.ts'
import { TaskFailure, type TaskWork } from '../../fleet/tasks.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { findNode } from '../nodes/index.ts'
import { discardOf, partsLeft } from '../servers/index.ts'
import { afterSeconds, claimDueCopies, insertCopy, partsOf, updateCopy } from './copy-store.ts'
import type { SupersededCopyRow } from './tables.ts'

/** How many days a former copy is kept after its node has come back. */
export const KEPT_DAYS = 7
const STOP_MS = 120_000
const EVERY_SECONDS = 3
/** Longer than a task may take. */
const CLAIM_SECONDS = 150
const AGAIN = { leastMs: EVERY_SECONDS * 1000, mostMs: 600_000 }
/** Operators are notified once a node has failed this often, which takes some minutes. */
const TOLD_AFTER = 6

/**
 * Tells returning nodes which of their servers are elsewhere now, so that they never start them
 * again, and deletes those copies when their time is over.
 */
async function settleCopies(services: Services): Promise<{ settled: number; failed: number }> {
  const due = { keptDays: KEPT_DAYS, claimSeconds: CLAIM_SECONDS, most: 50 }
  const copies = await claimDueCopies(services.db, due)
  const settled = await Promise.all(copies.map((copy) => settle(services, copy)))
  return {
    settled: settled.filter(Boolean).length,
    failed: settled.filter((done) => !done).length,
  }
}

async function settle(services: Services, copy: SupersededCopyRow): Promise<boolean> {
  const { serverId, nodeId } = copy
  const work = copy.partial || copy.stoppedAt !== null ? 'discard' : 'supersede'
  const ctx = contextFor(services, { kind: 'system' } as const)
  try {
    await services.fleet.runTask(
      nodeId,
      { taskId: randomUUID(), serverId, work: taskFor(copy, work) },
      { timeoutMs: STOP_MS },
    )
  } catch (error) {
    // A server that has moved back since is no longer a former copy. Any other failure is retried.
    const isBack = error instanceof TaskFailure && error.code === 'not_permitted'
    if (!isBack && !(error instanceof Problem) && !(error instanceof TaskFailure)) throw error
    if (!isBack) {
      await putOff(ctx, copy, error)
      return false
    }
  }
  const at = work === 'supersede' ? { stoppedAt: ctx.now } : { deletedAt: ctx.now }
  await updateCopy(ctx.db, copy, { ...at, tries: 0, failure: null, tryAt: afterSeconds(0) })
  return true
}

/** Retries later, with growing delays. An offline node is not a failure. */
async function putOff(ctx: Ctx, copy: SupersededCopyRow, error: Problem | TaskFailure) {
  if (error.code === 'node_unavailable') {
    const tries = copy.tries - 1
    await updateCopy(ctx.db, copy, { tries, tryAt: afterSeconds(EVERY_SECONDS) })
    return
  }
  const { serverId, serverName, nodeId, partial, stoppedAt, tries } = copy
  // Without its full stop, because other texts embed it.
  const detail = (error instanceof TaskFailure ? error.detail : error.message).replace(/\.$/, '')
  const tryAt = afterSeconds(backoffMs(tries - 1, AGAIN) / 1000)
  await ctx.transaction(async (ctx) => {
    // Also on later attempts: the attempt with exactly this number may have been interrupted.
    const isTold = copy.failure?.isTold === true || tries >= TOLD_AFTER
    const failure = { code: error.code, detail, ...(isTold && { isTold }) }
    const isStill = await updateCopy(ctx.db, copy, { failure, tryAt })
    const node = await findNode(ctx.db, nodeId)
    if (!isStill || !node) return
    await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
    if (!isTold || copy.failure?.isTold) return
    const runs = !partial && stoppedAt === null
    await ctx.emit('failover.copy_stuck', { serverId, serverName, name: node.name, detail, runs })
  })
}

function taskFor(
  { kind, placementGeneration, filesOn }: SupersededCopyRow,
  work: 'supersede' | 'discard',
): TaskWork {
  if (work === 'discard') return discardOf(kind, placementGeneration, filesOn ?? undefined)
  const document = JSON.stringify({ do: work, placementGeneration })
  return { $case: 'backupWork', value: { document } }
}

/** Records what a lost node has of a server, for its return; a removed node never returns. */
export const failoverListeners: EventHandlers = {
  async 'server.left_behind'(ctx, { nodeId, ...copy }) {
    if (await findNode(ctx.db, nodeId)) await insertCopy(ctx.db, { ...copy, nodeId })
  },
}

export const failoverAnswers = [
  answer(partsLeft, async (ctx, serverId) => {
    const parts = await partsOf(ctx.db, [serverId])
    return new Map(
      parts.map(({ nodeId, failure, filesOn }) => [
        nodeId,
        { failure: failure?.detail ?? null, filesOn: filesOn === null ? [] : [filesOn] },
      ]),
    )
  }),
]

export const failoverPeriodicTasks = [
  periodicTask('failover.copies', EVERY_SECONDS, (services) => settleCopies(services)),
]
