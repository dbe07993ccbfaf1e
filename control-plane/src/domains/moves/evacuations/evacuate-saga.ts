import { isCancellable } from '@lodge/shared/job-kinds.ts'
import { z } from 'zod'
import type { Ctx } from '../../../context.ts'
import { findJob } from '../../../jobs/board/store.ts'
import { type StepTools, saga } from '../../../jobs/sagas/saga.ts'
import { Problem } from '../../../problem.ts'
import { findNode } from '../../nodes/index.ts'
import { findView } from '../../servers/index.ts'
import { moveServer } from '../move.ts'
import { firstAway, isAway } from './away.ts'
import { planMoves } from './plan.ts'
import { endEvacuation, listEvacuated, updateEvacuated } from './store.ts'
import type { EvacuationServerRow } from './tables.ts'

const Evacuate = z.object({
  nodeId: z.uuid(),
  /** Null for all servers of the node. */
  serverIds: z.array(z.uuid()).nullable(),
  parallel: z.int(),
  /** Jobs from before this field left running machines alone. */
  stopMachines: z.boolean().default(false),
  confirmBackupsLeft: z.boolean(),
})
type Evacuate = z.infer<typeof Evacuate>

/**
 * Moves the servers of a node away, a few at a time. Each has its own job and its own result: one
 * that cannot move stops none of the others. One that only a connection keeps from moving, of this node
 * or of the one that could take it, waits until that node is back or counts as lost. Servers that have
 * moved stay moved, even if this is cancelled.
 */
export const evacuateSaga = saga('node.evacuate', Evacuate)
  .step('Move the servers', {
    do: (input, tools) => moveAll(input, tools),
    undo: (input, tools) => breakOff(input, tools),
  })
  .step('Record the results', {
    async do({ nodeId }, { ctx, progress }) {
      await ctx.transaction((ctx) => end(ctx, nodeId))
      await progress(100, summaryOf(await listEvacuated(ctx.db, nodeId)))
      await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
    },
  })

/** Ends the evacuation and notifies operators once. */
async function end(ctx: Ctx, nodeId: string): Promise<void> {
  if (!(await endEvacuation(ctx.db, nodeId, ctx.now))) return
  const node = await findNode(ctx.db, nodeId)
  const rows = await listEvacuated(ctx.db, nodeId)
  const moved = rows.filter(({ state }) => state === 'moved').length
  const stayed = rows.length - moved
  if (node) await ctx.emit('node.evacuated', { nodeId, nodeName: node.name, moved, stayed })
}

const summaryOf = (rows: readonly EvacuationServerRow[]): string =>
  `${rows.filter(({ state }) => state === 'moved').length} of ${rows.length} servers moved`

async function moveAll(input: Evacuate, tools: StepTools): Promise<void> {
  const { ctx, waitUntil, progress } = tools
  for (;;) {
    await settleEnded(input.nodeId, tools)
    const awaited = await startNext(input, tools)
    const rows = await listEvacuated(ctx.db, input.nodeId)
    const open = rows.filter(({ state }) => state === 'waiting' || state === 'moving')
    const [next] = rows.filter(({ state }) => state === 'moving')
    await progress(100 * (1 - open.length / Math.max(1, rows.length)), summaryOf(rows))
    if (next?.jobId) await untilOneEnds(input.nodeId, next.jobId, waitUntil, tools)
    else if (awaited === null) return
    else await untilBack(awaited, tools)
  }
}

/** Waits, without a worker, until any of the moves has ended. */
const untilOneEnds = (
  nodeId: string,
  jobId: string,
  waitUntil: StepTools['waitUntil'],
  { ctx }: StepTools,
): Promise<void> =>
  waitUntil({ kind: 'job-ended', jobId }, async () => {
    for (const row of await listEvacuated(ctx.db, nodeId)) {
      if (row.state !== 'moving' || row.jobId === null) continue
      if ((await findJob(ctx.db, row.jobId))?.endedAt !== null) return true
    }
    return false
  })

/** Waits, without a worker, until the node is connected or no longer waited for. */
async function untilBack(nodeId: string, { ctx, waitUntil, progress }: StepTools): Promise<void> {
  await progress(null, 'Waiting for the node')
  await waitUntil({ kind: 'node-online', nodeId }, async () => !(await isAway(ctx.db, nodeId)))
}

/** Records the results of the moves that have ended. */
async function settleEnded(nodeId: string, { ctx }: StepTools): Promise<void> {
  for (const row of await listEvacuated(ctx.db, nodeId)) {
    if (row.state !== 'moving' || row.jobId === null) continue
    const job = await findJob(ctx.db, row.jobId)
    if (job && job.endedAt === null) continue
    const state =
      job?.state === 'done' ? 'moved' : job?.state === 'cancelled' ? 'cancelled' : 'failed'
    await updateEvacuated(ctx.db, row, { state, detail: job?.failure?.detail ?? null })
  }
}

/** @returns the node whose return a server waits for; null if none does */
async function startNext(
  { nodeId, parallel, ...given }: Evacuate,
  tools: StepTools,
): Promise<string | null> {
  const rows = await listEvacuated(tools.ctx.db, nodeId)
  let moving = rows.filter(({ state }) => state === 'moving').length
  let awaited: string | null = null
  for (const row of rows) {
    if (row.state !== 'waiting') continue
    if (moving >= parallel) break
    tools.signal.throwIfAborted()
    if (await isAway(tools.ctx.db, nodeId)) return nodeId
    const { began, awaits } = await start(row, given, tools)
    moving += began ? 1 : 0
    awaited ??= awaits
  }
  return awaited
}

interface Start {
  readonly began: boolean
  /** It still waits, for this node. */
  readonly awaits: string | null
}
const BEGAN: Start = { began: true, awaits: null }

async function start(
  row: EvacuationServerRow,
  { stopMachines: stop, confirmBackupsLeft }: Pick<Evacuate, 'stopMachines' | 'confirmBackupsLeft'>,
  { ctx }: StepTools,
): Promise<Start> {
  /** Unless it is only one of these nodes that is away. */
  const blocked = async (detail: string, nodeIds: readonly string[] = []): Promise<Start> => {
    const awaits = await firstAway(ctx.db, [row.nodeId, ...nodeIds])
    if (awaits === null) await updateEvacuated(ctx.db, row, { state: 'blocked', detail })
    return { began: false, awaits }
  }
  const node = await findNode(ctx.db, row.nodeId)
  const [planned] = node ? await planMoves(ctx, node, [row.serverId], { stop }) : []
  if (!planned) return blocked('It is no longer on this node')
  const { target, why, awaits } = planned
  if (!target) return blocked(why ?? 'It cannot move now', awaits === null ? [] : [awaits])
  const { nodeId, nodeName } = target
  try {
    // Creates the job and records it in one transaction, so that a repetition starts no second one.
    await ctx.transaction(async (ctx) => {
      const view = await findView(ctx.db, row.serverId)
      if (!view) throw new Problem('not_found', 'It is gone')
      const { jobId } = await moveServer(ctx, view, { nodeId, stop, confirmBackupsLeft })
      await updateEvacuated(ctx.db, row, { state: 'moving', targetName: nodeName, jobId })
    })
    return BEGAN
  } catch (error) {
    if (error instanceof Problem) return blocked(error.message, [nodeId])
    throw error
  }
}

/** Cancels all moves that can still go back, and only then waits for each, and for the others. */
async function breakOff({ nodeId }: Evacuate, tools: StepTools): Promise<void> {
  const { ctx, waitUntil } = tools
  const rows = await listEvacuated(ctx.db, nodeId)
  const open: string[] = []
  for (const row of rows) {
    if (row.state === 'waiting') await updateEvacuated(ctx.db, row, { state: 'cancelled' })
    const job = row.state === 'moving' && row.jobId ? await findJob(ctx.db, row.jobId) : undefined
    if (!job || job.endedAt !== null) continue
    open.push(job.id)
    if (isCancellable(job.kind, job.steps) && !job.cancelRequested)
      await ctx.transaction(({ db, jobs }) => jobs.sagas.cancel(db, job.id))
  }
  for (const jobId of open)
    await waitUntil({ kind: 'job-ended', jobId }, async () => {
      return (await findJob(ctx.db, jobId))?.endedAt !== null
    })
  await settleEnded(nodeId, tools)
  await endEvacuation(ctx.db, nodeId, ctx.now)
  await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
}
