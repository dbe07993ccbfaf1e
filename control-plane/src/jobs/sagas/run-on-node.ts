import { setTimeout as delay } from 'node:timers/promises'
import type { Done } from '@lodge/proto/task.ts'
import { backoffMs } from '@lodge/shared/backoff.ts'
import { TaskFailure, type TaskWork } from '../../fleet/tasks.ts'
import { Problem } from '../../problem.ts'
import { giveWay } from './give-way.ts'
import { stepKey } from './run.ts'
import { Permanent, type StepTools } from './saga.ts'

/** Copying disks may take hours; the node itself ends work that hangs. */
const LONG_MS = 20 * 3_600_000
const TRIES = 6
const AGAIN = { leastMs: 500, mostMs: 30_000 }
const REPORT_EVERY_MS = 1_000

interface NodeTask {
  readonly nodeId: string
  readonly serverId?: string
  /** Distinguishes the tasks of one step. */
  readonly name: string
  readonly work: TaskWork | (() => Promise<TaskWork>)
  /** Runs even if the job was cancelled, because it undoes something. */
  readonly always?: boolean
  /** Tried once: each failure is final, even an offline node. */
  readonly once?: boolean
  readonly timeoutMs?: number
  /** How long the node may be away; without it there is no limit. */
  readonly backWithinMs?: number
}

/**
 * Runs a step's work on a node, exactly once even if processes are killed: the task id is derived
 * from the step, and the same id twice has one effect and one result. A transient failure is
 * retried with the next id. The worker's place is free while the node works, and the saga is parked
 * while the node is offline.
 * @throws {Permanent} if the node reports that it cannot be done, or the job was cancelled
 * @throws {WaitExpired} when it is away for too long
 */
export async function runOnNode(tools: StepTools, task: NodeTask): Promise<Done> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await tools.elsewhere(() => once(tools, task, attempt))
    } catch (error) {
      if (!task.always) await giveWay(tools)
      if (task.once) throw asPermanent(error)
      if (error instanceof Problem && error.code === 'node_unavailable')
        await untilConnected(tools, task)
      if (!(error instanceof TaskFailure)) throw error
      if (!error.retryable || attempt + 1 === TRIES) throw new Permanent(error.code, error.detail)
      await tools.progress(null, `${error.detail} It is tried again`)
      await tools.elsewhere(() => delay(backoffMs(attempt, AGAIN)))
    }
  }
}

const asPermanent = (error: unknown): unknown => {
  if (error instanceof TaskFailure) return new Permanent(error.code, error.detail)
  return error instanceof Problem ? new Permanent(error.code, error.message) : error
}

/** Parks until the node is back; the step then requests the same task again. */
async function untilConnected(tools: StepTools, task: NodeTask): Promise<void> {
  const { nodeId, backWithinMs: withinMs } = task
  await tools.progress(null, 'Waiting for the node')
  // Only contacting the node shows whether it is there, so every run that gets here waits once
  // more.
  await tools.waitUntil(
    { kind: 'node-online', nodeId, ...(withinMs !== undefined && { withinMs }) },
    async () => false,
  )
}

async function once(tools: StepTools, task: NodeTask, attempt: number): Promise<Done> {
  const { ctx, key, signal } = tools
  const work = typeof task.work === 'function' ? await task.work() : task.work
  // A cancel also cancels the task. When this process stops, the node keeps working: the next run
  // requests the same task and gets its result.
  const takenBack = new AbortController()
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => undefined)
  const interrupted = () => {
    if (task.always) return
    if (signal.reason instanceof Permanent) takenBack.abort(signal.reason)
    else over.reject(signal.reason)
  }
  signal.addEventListener('abort', interrupted, { once: true })
  if (signal.aborted) interrupted()
  let reportedAtMs = 0
  let reporting = Promise.resolve()
  const doing = ctx.fleet.runTask(
    task.nodeId,
    {
      taskId: stepKey(key, `${task.name} ${attempt}`),
      work,
      ...(task.serverId !== undefined && { serverId: task.serverId }),
    },
    {
      timeoutMs: task.timeoutMs ?? LONG_MS,
      signal: takenBack.signal,
      onProgress({ percent, detail }) {
        if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return
        reportedAtMs = performance.now()
        const known = percent >= 0 ? Math.min(99, percent) : null
        const words = detail.replaceAll('\0', '').slice(0, 300)
        reporting = reporting.then(() => tools.progress(known, words)).catch(() => undefined)
      },
    },
  )
  try {
    return await Promise.race([doing, over.promise])
  } finally {
    signal.removeEventListener('abort', interrupted)
    doing.catch(() => undefined)
    await reporting
  }
}
