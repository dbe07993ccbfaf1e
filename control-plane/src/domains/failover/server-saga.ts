import { z } from 'zod'
import { WaitExpired } from '../../jobs/dispatch/parking.ts'
import { requireNotCancelled } from '../../jobs/sagas/cancellation.ts'
import { type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { copyIn } from '../backups/index.ts'
import { placedOn } from '../moves/index.ts'
import { isLost } from '../nodes/index.ts'
import {
  endOperation,
  findServer,
  lockServer,
  newsOf,
  onPlace,
  unlessAway,
} from '../servers/index.ts'
import { insertCopy } from './copy-store.ts'
import { placesOf } from './places.ts'
import { findServerOfRun, updateServerOfRun } from './store.ts'

/** Keeps a server stopped until it has its new node and its files. */
export const bringingBack = (runId: string) => ({ kind: 'failover', cause: runId }) as const

/** A start may take its readiness timeout; the run does not wait longer than this. */
const START_MS = 600_000

const Lost = z.object({
  runId: z.uuid(),
  serverId: z.uuid(),
  kind: z.enum(['container', 'vm']).default('container'),
  sourceId: z.uuid(),
  targetId: z.uuid(),
  /** The placement on the lost node. */
  placement: z.int(),
  repositoryId: z.uuid(),
  /** Null on shared storage, and in a job from before a version that records what it finds. */
  backupId: z.uuid().nullable().default(null),
  snapshotId: z.string(),
  /** The shared storage that has its files, so that nothing is restored. */
  storage: z.string().nullable().default(null),
  sizeBytes: z.number(),
  restoreId: z.uuid(),
})
type Lost = z.infer<typeof Lost>

/**
 * Brings one server of a lost node back on another one. The files come first; the server's node
 * changes once, when they are complete. Until then a failure leaves it where it was.
 */
export const serverSaga = saga('server.failover', Lost)
  .step('Make room', {
    do: (lost, { ctx }) => placesOf(lost.kind).take(ctx, lost),
    undo: (lost, tools) => givenUp(lost, tools),
  })
  .step('Prepare the place', {
    do: (lost, tools) => placesOf(lost.kind).make(lost, tools),
    async undo(lost, tools) {
      if (await isThere(lost, tools)) return
      await placesOf(lost.kind).leavePrepared(lost, tools)
    },
  })
  .step('Restore the backup', {
    async do(lost, tools) {
      const { serverId, targetId: nodeId, placement } = lost
      const work = { do: 'adopt', placementGeneration: placement + 1 } as const
      await unlessAway(lost, tools, async () => {
        if (lost.storage === null) await copyIn(lost, lost, tools)
        else await tools.progress(100, `Its files lie on the shared storage ${lost.storage}`)
        await onPlace({ serverId, nodeId }, tools, work)
      })
    },
  })
  // A single step, because it cannot be undone: the lost node cannot be told to take the server back.
  .step('Start in the new place', {
    async do(lost, tools) {
      await changePlace(lost, tools)
      await started(lost, tools)
    },
  })

const isThere = async ({ serverId, targetId }: Lost, { ctx }: StepTools): Promise<boolean> =>
  (await findServer(ctx.db, serverId))?.nodeId === targetId

/** Records the failure; the server stays where it was, unless its node has changed already. */
async function givenUp(lost: Lost, tools: StepTools): Promise<void> {
  const { ctx, failure } = tools
  const { runId, serverId, targetId, placement } = lost
  if (await isThere(lost, tools)) {
    await released(lost, tools, failure?.detail ?? null)
    return
  }
  await placesOf(lost.kind).leave(ctx, serverId, targetId)
  await ctx.transaction(async (ctx) => {
    // The target has given up the placement prepared for it, so its number is skipped.
    await endOperation(ctx, serverId, bringingBack(runId), (row) => ({
      placementGeneration: Math.max(row.placementGeneration, placement + 1),
    }))
    await updateServerOfRun(ctx.db, runId, serverId, {
      state: 'failed',
      detail: failure?.detail ?? 'It could not be brought back',
    })
  })
}

/**
 * From here on the server is on the other node, and the lost node's files of it are a former copy.
 */
async function changePlace(lost: Lost, { ctx, job }: StepTools): Promise<void> {
  const { serverId, kind, sourceId } = lost
  const places = placesOf(kind)
  await ctx.transaction(async (ctx) => {
    const before = await lockServer(ctx.db, serverId)
    if (before?.nodeId !== sourceId) return
    await requireNotCancelled(ctx.db, job.id)
    await places.swap(ctx, lost)
    // Nothing stays reserved on a node that may never come back.
    await places.leave(ctx, serverId, sourceId)
    await insertCopy(ctx.db, {
      serverId,
      kind,
      nodeId: sourceId,
      serverName: before.name,
      placementGeneration: before.placementGeneration,
    })
  })
}

/** Lets it start, notifies its people of what is missing, and records how the start went. */
async function started(lost: Lost, tools: StepTools): Promise<void> {
  const { ctx, progress, waitUntil } = tools
  const { serverId, targetId } = lost
  await released(lost, tools, null)
  const { generation } = await placedOn(ctx, serverId, targetId)
  await progress(null, 'Waiting for the server')
  const note = (detail: string) =>
    updateServerOfRun(ctx.db, lost.runId, serverId, { detail }).then(() => progress(100, detail))
  try {
    await waitUntil({ kind: 'generation-settled', generation, withinMs: START_MS }, async () => {
      const row = await findServer(ctx.db, serverId)
      if (!row || row.nodeId !== targetId || row.settledGeneration >= generation) return true
      return await isLost(ctx.db, targetId)
    })
  } catch (error) {
    if (!(error instanceof WaitExpired)) throw error
    await note('Its node has not started it yet')
    return
  }
  const row = await findServer(ctx.db, serverId)
  const isSettled = row?.nodeId !== targetId || row.settledGeneration >= generation
  if (!isSettled) await note('Its new node was lost too before it had started it')
  else if (row?.failure) await note(`It did not start: ${row.failure.detail}`)
  else if (row?.observedState === 'crashed') await note('It crashed after its start')
}

async function released(lost: Lost, { ctx }: StepTools, detail: string | null): Promise<void> {
  const { runId, serverId } = lost
  await ctx.transaction(async (ctx) => {
    const isNew = await endOperation(ctx, serverId, bringingBack(runId), (row) =>
      row.observedState === 'crashed' && row.restartAt === null ? { desiredPower: 'off' } : {},
    )
    const row = await findServerOfRun(ctx.db, runId, serverId)
    if (!row || !isNew) return
    await updateServerOfRun(ctx.db, runId, serverId, { state: 'restored', detail })
    const server = await findServer(ctx.db, serverId)
    if (server)
      await ctx.emit('server.brought-back', {
        ...(await newsOf(ctx.db, server)),
        backupAt: row.storage === null ? row.backupAt : null,
      })
  })
}
