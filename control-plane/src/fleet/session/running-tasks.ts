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

/** The tasks that were sent on one stream and have no result yet. */
export class RunningTasks {
  readonly #outbox: Outbox
  readonly #settle = new Map<string, (result: TaskResult | SessionLost) => void>()
  readonly #progress = new Map<string, (progress: TaskProgress) => void>()

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
    return new Promise((resolve, reject) => {
      const over = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', takeBack)
        this.#settle.delete(task.taskId)
        this.#progress.delete(task.taskId)
      }
      const giveUp = (reason: unknown) => {
        over()
        this.#outbox.post({ $case: 'taskCancel', value: { taskId: task.taskId } })
        reject(reason)
      }
      const takeBack = () => giveUp(signal?.reason)
      const timer = setTimeout(
        () => giveUp(new Problem('node_timeout', 'The node did not answer in time')),
        timeoutMs,
      )
      signal?.addEventListener('abort', takeBack, { once: true })
      if (onProgress) this.#progress.set(task.taskId, onProgress)
      this.#settle.set(task.taskId, (result) => {
        over()
        if (result instanceof SessionLost) reject(result)
        else resolve(result)
      })
      if (this.#outbox.post({ $case: 'task', value: task })) return
      over()
      reject(new Problem('node_unavailable', 'Too much work is already waiting for this node'))
    })
  }

  progressed(progress: TaskProgress): void {
    this.#progress.get(progress.taskId)?.(progress)
  }

  ended(result: TaskResult): void {
    this.#settle.get(result.taskId)?.(result)
  }

  /** The stream has ended: nothing more will be heard of them on it. */
  lose(): void {
    for (const settle of [...this.#settle.values()])
      settle(new SessionLost('The stream of the node has ended'))
  }
}
