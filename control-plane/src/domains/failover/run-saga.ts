import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { Problem } from '../../problem.ts'
import { aboutServer, endOperation, lockServer } from '../servers/index.ts'
import { bringingBack, serverSaga } from './server-saga.ts'
import {
  busyAmong,
  busyJob,
  findRun,
  findServerOfRun,
  serversOfRuns,
  updateRun,
  updateServerOfRun,
} from './store.ts'
import type { FailoverServerRow } from './tables.ts'

/** How many servers are brought back concurrently: each copies a backup. */
const AT_ONCE = 4

const Run = z.object({
  runId: z.uuid(),
  /** Other servers of the node, which could not be brought back when the run began. */
  left: z.int().default(0),
})
type Run = z.infer<typeof Run>

/** Brings back the servers of a run, a few at a time, each in a job of its own. */
export const runSaga = saga('failover.run', Run).step('Bring back the servers', {
  async do(run, tools) {
    await bringBackAll(run.runId, tools)
    const { restored, failed } = await ended(run, tools)
    await tools.progress(100, `${restored} brought back, ${failed} not`)
  },
  undo: (run, tools) => giveUpRest(run, tools),
})

/** Records the end of a run, and notifies the operators once. */
async function ended({ runId, left }: Run, { ctx }: StepTools) {
  const { restored, failed } = await countsOf(runId, ctx)
  const counts = { restored, failed: failed + left }
  await ctx.transaction(async (ctx) => {
    const run = await findRun(ctx.db, runId)
    if (!run || run.endedAt) return
    await updateRun(ctx.db, runId, { endedAt: ctx.now })
    const news = { nodeId: run.nodeId, name: run.nodeName, ...counts }
    await (counts.failed === 0
      ? ctx.emit('failover.completed', news)
      : ctx.emit('failover.failed', news))
  })
  return counts
}

/**
 * Servers that nobody has begun to bring back stay where they were; jobs that have begun end by
 * themselves.
 */
async function giveUpRest(run: Run, tools: StepTools): Promise<void> {
  const { runId } = run
  const { ctx, failure, waitUntil } = tools
  const waiting = async () =>
    (await serversOfRuns(ctx.db, [runId])).filter(({ state }) => state === 'waiting')
  for (const row of await waiting())
    if (row.jobId === null) await giveUp(row, failure?.detail ?? 'The failover ended', tools)
  const [open] = await waiting()
  if (open?.jobId)
    await waitUntil({ kind: 'job-ended', jobId: open.jobId }, async () => {
      return (await waiting()).length === 0
    })
  await ended(run, tools)
}

async function giveUp(
  { runId, serverId }: FailoverServerRow,
  detail: string,
  { ctx }: StepTools,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    await endOperation(ctx, serverId, bringingBack(runId))
    await updateServerOfRun(ctx.db, runId, serverId, { state: 'failed', detail })
  })
}

async function countsOf(runId: string, { db }: StepTools['ctx']) {
  const rows = await serversOfRuns(db, [runId])
  const count = (state: FailoverServerRow['state']) =>
    rows.filter((row) => row.state === state).length
  return { restored: count('restored'), failed: count('failed') }
}

async function bringBackAll(runId: string, tools: StepTools): Promise<void> {
  const { ctx, progress, waitUntil } = tools
  for (;;) {
    const rows = await serversOfRuns(ctx.db, [runId])
    const open = rows.filter(({ state }) => state === 'waiting')
    if (open.length === 0) return
    const done = rows.length - open.length
    await progress((done / rows.length) * 100, `${done} of ${rows.length} servers`)
    const begun = open.filter(({ jobId }) => jobId !== null)
    const next = await busyLast(
      open.filter(({ jobId }) => jobId === null),
      ctx,
    )
    for (const row of next.slice(0, Math.max(0, AT_ONCE - begun.length))) {
      const begins = await begin(row, tools)
      if (begins) begun.push({ ...row, jobId: begins })
    }
    const [first] = begun
    if (!first?.jobId) continue
    // Whichever job ends first, the next round begins another.
    await waitUntil({ kind: 'job-ended', jobId: first.jobId }, async () => {
      const now = await serversOfRuns(ctx.db, [runId])
      return now.filter(({ state }) => state === 'waiting').length < open.length
    })
  }
}

/** Nobody waits for the job of another server that takes long to be rolled back. */
async function busyLast(
  rows: readonly FailoverServerRow[],
  { db }: StepTools['ctx'],
): Promise<FailoverServerRow[]> {
  const busy = await busyAmong(
    db,
    rows.map(({ serverId }) => serverId),
  )
  return rows.toSorted((a, b) => Number(busy.has(a.serverId)) - Number(busy.has(b.serverId)))
}

/**
 * Begins the job of one server, and cancels a backup that waits for the lost node.
 * @returns its id, or undefined if there is nothing to wait for
 */
async function begin(row: FailoverServerRow, tools: StepTools) {
  const { runId, serverId } = row
  const { ctx, waitUntil } = tools
  const before = await busyJob(ctx.db, serverId)
  if (before) {
    await ctx.jobs.sagas.cancel(ctx.db, before)
    await waitUntil({ kind: 'job-ended', jobId: before }, async () => {
      return (await busyJob(ctx.db, serverId)) !== before
    })
  }
  try {
    return await ctx.transaction(async (ctx) => {
      const server = await lockServer(ctx.db, serverId)
      const now = await findServerOfRun(ctx.db, runId, serverId)
      if (now?.state !== 'waiting' || now.jobId !== null) return now?.jobId ?? undefined
      if (!server) throw new Problem('not_found', 'The server is gone')
      const run = await findRun(ctx.db, runId)
      if (server.nodeId !== run?.nodeId)
        throw new Problem('conflict', 'The server is somewhere else by now')
      const job = await ctx.jobs.sagas.enqueue(
        ctx,
        serverSaga,
        {
          runId,
          serverId,
          kind: server.kind,
          sourceId: server.nodeId,
          targetId: row.targetId,
          placement: server.placementGeneration,
          repositoryId: row.repositoryId,
          backupId: row.storage === null ? row.backupId : null,
          snapshotId: row.snapshotId,
          storage: row.storage,
          sizeBytes: row.sizeBytes,
          restoreId: randomUUID(),
        },
        aboutServer(
          server,
          row.storage === null
            ? `Bring back ${server.name} from a backup`
            : `Bring back ${server.name} from shared storage`,
        ),
      )
      await updateServerOfRun(ctx.db, runId, serverId, { jobId: job.id })
      return job.id
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await giveUp(row, error.message, tools)
    return undefined
  }
}
