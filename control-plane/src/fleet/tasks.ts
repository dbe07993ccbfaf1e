import { ConnectResponse, type RelayOpen } from '@lodge/proto/fleet.ts'
import { type Done, type Task, TaskResult } from '@lodge/proto/task.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { othersListen } from '../db/channels.ts'
import { Problem } from '../problem.ts'
import type { Vault } from '../secrets/vault.ts'
import { announce } from './announcements.ts'
import type { FleetOptions } from './options.ts'
import { SessionLost, type TaskOptions } from './session/running-tasks.ts'
import type { AgentSession } from './session/session.ts'
import { taskRows } from './store.ts'

const LOOK_MS = 1_000
const POLL_MS = 2_000
const SWEEP_MS = 60_000
/** How long an agent whose stream broke has to reconnect to its task. */
const RETURN_MS = 15_000

export type TaskWork = NonNullable<Task['work']>

export interface TaskRequest {
  /** Idempotency key: the same id twice has one effect and one result. Random by default. */
  readonly taskId?: string
  readonly serverId?: string
  readonly work: TaskWork
}

/** The node ran the task and it failed, with the node's own code and message. */
export class TaskFailure extends Error {
  readonly code: string
  readonly detail: string
  readonly retryable: boolean
  constructor(failure: { code: string; detail: string; retryable: boolean }) {
    super(`${failure.code}: ${failure.detail}`)
    this.name = 'TaskFailure'
    this.code = failure.code
    this.detail = failure.detail
    this.retryable = failure.retryable
  }
}

export interface Tasks {
  /**
   * Runs one task on a node, whichever instance holds its stream.
   * @throws {Problem} node_unavailable, node_timeout
   * @throws {TaskFailure} if the node refused or failed
   */
  run(nodeId: string, request: TaskRequest, options: TaskOptions): Promise<Done>
  /**
   * Sends a relay request to the agent.
   * @throws {Problem} node_unavailable
   */
  openRelay(nodeId: string, relay: Omit<RelayOpen, 'address'>, timeoutMs: number): Promise<void>
  /** host:port that a node dials for its end of a relay; empty for the address it already uses. */
  addressForAgents(): Promise<string>
  /** Another instance has queued this task for a node. */
  announced(nodeId: string, taskId: string): void
  /** An instance has finished this task. */
  finished(taskId: string): void
  /** A node has connected here; tasks may be queued for it, or have been left by another instance. */
  arrived(nodeId: string): void
  stop(): Promise<void>
}

/**
 * Runs one-shot tasks. If this instance holds the node's stream, a task goes straight to it.
 * Otherwise the task is queued in the database, announced, and run by the instance that holds the
 * stream. A task whose stream breaks is queued again until its deadline.
 */
export function createTasks(given: {
  pool: pg.Pool
  instanceId: string
  options: FleetOptions
  log: Logger
  find: (nodeId: string) => AgentSession | undefined
  /** host:port at which agents reach this instance. */
  address: () => string
  /** Work waits in the database for the instance that runs it, and some of it holds secrets. */
  vault: Vault
}): Tasks {
  const { pool, log } = given
  const place = (id: string) => ({ table: 'tasks', id, column: 'work' })
  const seal = (id: string, work: Buffer) => given.vault.seal(work.toString('base64'), place(id))
  const unseal = (id: string, work: Buffer) =>
    Buffer.from(given.vault.open(work, place(id)), 'base64')
  const waiters = new Map<string, () => void>()
  const working = new Map<string, Promise<void>>()
  let stopped = false

  async function run(nodeId: string, request: TaskRequest, options: TaskOptions) {
    const { timeoutMs, signal } = options
    signal?.throwIfAborted()
    const beganMs = performance.now()
    const task: Task = {
      taskId: request.taskId ?? crypto.randomUUID(),
      serverId: request.serverId ?? '',
      timeout: { seconds: Math.floor(timeoutMs / 1000), nanos: (timeoutMs % 1000) * 1_000_000 },
      work: request.work,
    }
    const session = given.find(nodeId)
    let claimMs = given.options.claimMs
    if (session) {
      try {
        return unwrap(await session.run(task, timeoutMs, options))
      } catch (error) {
        if (!(error instanceof SessionLost)) throw error
        claimMs = RETURN_MS
      }
    } else {
      await requireOthers()
    }
    const leftMs = timeoutMs - (performance.now() - beganMs)
    if (leftMs <= 0) throw timedOut()
    return unwrap(await elsewhere(nodeId, { $case: 'task', value: task }, task, leftMs, claimMs))
  }

  /** With a single instance, the address the agent already uses is the best one. */
  async function addressForAgents(): Promise<string> {
    return (await othersListen(pool, given.instanceId)) ? given.address() : ''
  }

  async function requireOthers(): Promise<void> {
    if (stopped || !(await othersListen(pool, given.instanceId))) throw unavailable()
  }

  async function elsewhere(
    nodeId: string,
    message: NonNullable<ConnectResponse['message']>,
    { taskId, serverId }: { taskId: string; serverId: string },
    timeoutMs: number,
    claimMs: number,
  ): Promise<TaskResult> {
    if (stopped) throw unavailable()
    const work = seal(taskId, Buffer.from(ConnectResponse.encode({ message }).finish()))
    const row = { id: taskId, nodeId, serverId: serverId || undefined, work, timeoutMs }
    await taskRows.queue(pool, { ...row, timeoutMs: Math.floor(timeoutMs) })
    await announce(pool, { kind: 'task', nodeId, taskId })
    const beganMs = performance.now()
    let claimedMs = beganMs
    try {
      for (;;) {
        // Register before reading, so that no announcement in between is missed.
        const wakeUp = Promise.withResolvers<void>()
        waiters.set(taskId, wakeUp.resolve)
        const seen = await taskRows.look(pool, taskId)
        const nowMs = performance.now()
        const leftMs = timeoutMs - (nowMs - beganMs)
        if (seen?.state === 'done' && seen.result) return TaskResult.decode(seen.result)
        if (!seen || leftMs <= 0) throw timedOut()
        if (seen.state === 'running') claimedMs = nowMs
        const patienceMs = seen.state === 'returned' ? RETURN_MS : claimMs
        const unclaimed = stopped || nowMs - claimedMs > patienceMs
        if (unclaimed && (await taskRows.remove(pool, taskId, true))) throw unavailable()
        if (stopped) throw unavailable()
        await within(wakeUp.promise, Math.min(LOOK_MS, claimMs, leftMs))
      }
    } finally {
      waiters.delete(taskId)
      await taskRows.remove(pool, taskId, false)
    }
  }

  /** Runs a task that another instance or an earlier stream queued, if it is still unclaimed. */
  async function work(session: AgentSession, taskId: string): Promise<void> {
    const claimed = await taskRows.claim(pool, taskId)
    if (!claimed) return
    const { message } = ConnectResponse.decode(unseal(taskId, claimed.work))
    let result: TaskResult | undefined
    try {
      if (message?.$case === 'relayOpen') {
        result = relayed(taskId, session.openRelay(message.value))
      } else if (message?.$case === 'task') {
        result = await session.run(message.value, claimed.leftMs)
      }
    } catch (error) {
      if (error instanceof SessionLost) return await taskRows.release(pool, taskId)
      if (!(error instanceof Problem)) throw error
      if (error.code === 'node_timeout') return
      result = failed(taskId, error.code, error.message)
    }
    if (!result) return
    await taskRows.finish(pool, taskId, Buffer.from(TaskResult.encode(result).finish()))
    await announce(pool, { kind: 'done', taskId })
  }

  function take(nodeId: string, taskId: string): void {
    const session = given.find(nodeId)
    if (!session || stopped || working.has(taskId)) return
    const job = work(session, taskId)
      .catch((error: unknown) => {
        log.warn({ err: error, nodeId, taskId }, 'could not run a task of another instance')
      })
      .finally(() => working.delete(taskId))
    working.set(taskId, job)
  }

  async function poll(): Promise<void> {
    for (const task of await taskRows.queued(pool)) take(task.nodeId, task.id)
  }

  /** Takes over what an instance was running on these nodes' last streams when it was killed. */
  async function takeOver(nodeIds: readonly string[]): Promise<void> {
    await taskRows.releaseOf(pool, nodeIds, [...working.keys()])
    await poll()
  }

  const arriving = new Set<string>()
  let soon: NodeJS.Timeout | undefined
  const background = (job: Promise<void>) => {
    job.catch((error: unknown) => log.warn({ err: error }, 'could not check for queued tasks'))
  }
  const polling = setInterval(() => background(poll()), POLL_MS)
  const sweeping = setInterval(() => background(taskRows.sweep(pool)), SWEEP_MS)
  polling.unref()
  sweeping.unref()

  return {
    run,
    addressForAgents,
    async openRelay(nodeId, relay, timeoutMs) {
      const session = given.find(nodeId)
      const request = { ...relay, address: await addressForAgents() }
      if (session) {
        if (session.openRelay(request)) return
        throw unavailable()
      }
      await requireOthers()
      const errand = { taskId: crypto.randomUUID(), serverId: relay.serverId }
      const message = { $case: 'relayOpen' as const, value: request }
      unwrap(await elsewhere(nodeId, message, errand, timeoutMs, given.options.claimMs))
    },
    announced: take,
    finished: (taskId) => waiters.get(taskId)?.(),
    arrived(nodeId) {
      arriving.add(nodeId)
      // Together for all nodes that reconnect at once.
      soon ??= setTimeout(() => {
        soon = undefined
        const nodeIds = [...arriving]
        arriving.clear()
        background(takeOver(nodeIds))
      }, 100)
    },
    async stop() {
      stopped = true
      clearTimeout(soon)
      clearInterval(polling)
      clearInterval(sweeping)
      for (const go of [...waiters.values()]) go()
      await Promise.allSettled(working.values())
    },
  }
}

/** Waits for the promise, but at most the given milliseconds. */
async function within(promise: Promise<void>, ms: number): Promise<void> {
  const time = Promise.withResolvers<void>()
  const timer = setTimeout(time.resolve, ms)
  await Promise.race([promise, time.promise])
  clearTimeout(timer)
}

function unwrap({ outcome }: TaskResult): Done {
  if (outcome?.$case === 'done') return outcome.value
  const failure = outcome?.value ?? {
    code: 'unsupported',
    detail: 'The node answered in a way that is not understood',
    retryable: false,
  }
  if (failure.code === 'node_unavailable') throw unavailable()
  throw new TaskFailure(failure)
}

const relayed = (taskId: string, sent: boolean): TaskResult =>
  sent
    ? { taskId, outcome: { $case: 'done', value: { output: undefined } } }
    : failed(taskId, 'node_unavailable', 'Too much work is already waiting for this node')

const failed = (taskId: string, code: string, detail: string): TaskResult => ({
  taskId,
  outcome: { $case: 'failure', value: { code, detail, retryable: true } },
})

const unavailable = () => new Problem('node_unavailable', 'The node is not connected')
const timedOut = () => new Problem('node_timeout', 'The node did not answer in time')
