import type { Task, TaskProgress, TaskResult } from '@lodge/proto/task.ts'
import { Problem } from '../../problem.ts'
import type { Outbox } from './outbox.ts'

/** The stream broke during a task; the same task may be sent on the next one. */
export class SessionLost extends Error {}

export interface TaskOptions {
  readonly timeoutMs: number
  /** Progress of the node; reported only while this instance holds its stream. */
  readonly onProgress?: (progress: TaskProgress) => void
  /** Cancels the task. The promise rejects with the signal's reason at once. */
  readonly signal?: AbortSignal
}

interface Waiter {
  readonly settle: (result: TaskResult | SessionLost) => void
  readonly onProgress: TaskOptions['onProgress']
}

/**
 * The tasks that were sent on one stream and have no result yet. Several may wait for one: a job that
 * goes on in this process, and what its last process had queued for the same node.
 */
export class RunningTasks {
  readonly #outbox: Outbox
  readonly #waiting = new Map<string, Set<Waiter>>()

  constructor(outbox: Outbox) {
    this.#outbox = outbox
  }

  /**
   * Sends a task and waits for its result.
   * @throws {SessionLost} if the stream breaks first
   * @throws {Problem} node_timeout; node_unavailable if too much is queued for this node
   */
  run(task: Task, timeoutMs: number, options: Partial<TaskOptions> = {}): Promise<TaskResult> {
    const { signal, onProgress } = options
    const { taskId } = task
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        settle(result) {
          over()
          if (result instanceof SessionLost) reject(result)
          else resolve(result)
        },
        onProgress,
      }
      const over = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', takeBack)
        const all = this.#waiting.get(taskId)
        all?.delete(waiter)
        if (all?.size === 0) this.#waiting.delete(taskId)
      }
      const giveUp = (reason: unknown) => {
        over()
        this.#outbox.post({ $case: 'taskCancel', value: { taskId } })
        reject(reason)
      }
      const takeBack = () => giveUp(signal?.reason)
      const timer = setTimeout(
        () => giveUp(new Problem('node_timeout', 'The node did not answer in time')),
        timeoutMs,
      )
      signal?.addEventListener('abort', takeBack, { once: true })
      const all = this.#waiting.get(taskId) ?? new Set()
      this.#waiting.set(taskId, all.add(waiter))
      if (this.#outbox.post({ $case: 'task', value: task })) return
      over()
      reject(new Problem('node_unavailable', 'Too much work is already waiting for this node'))
    })
  }

  progressed(progress: TaskProgress): void {
    for (const { onProgress } of this.#waiting.get(progress.taskId) ?? []) onProgress?.(progress)
  }

  ended(result: TaskResult): void {
    for (const { settle } of [...(this.#waiting.get(result.taskId) ?? [])]) settle(result)
  }

  /** The stream has ended: nothing more will be heard of them on it. */
  lose(): void {
    for (const { settle } of [...this.#waiting.values()].flatMap((all) => [...all]))
      settle(new SessionLost('The stream of the node has ended'))
  }
}
