import type { CollectedImages } from '@lodge/driver/capabilities/images.ts'
import { DriverError, type OnProgress, type Progress } from '@lodge/driver/driver.ts'
import type { Failure } from '@lodge/proto/server.ts'
import type { Done, Task, TaskProgress, TaskResult } from '@lodge/proto/task.ts'
import { EgressRefused } from '@lodge/shared/egress/egress.ts'
import type { FileWorkDone } from '@lodge/shared/files.ts'
import type { ClaimOutcome } from '@lodge/shared/node-schedules.ts'
import type { Logger } from 'pino'
import { cleanCommand } from './console/command.ts'
import { consoleOf } from './console/driver-console.ts'
import type { TellWay } from './direct/reach.ts'
import type { AnyDriver } from './drivers.ts'
import type { FileTask } from './files/file-task.ts'
import { FileRefusal } from './files/refusal.ts'
import type { Journal } from './journal/journal.ts'
import { type MachineTasksOptions, runMachineTask } from './machines/machine-tasks.ts'
import { NotUpdated } from './update/not-updated.ts'
import type { UpdateTask } from './update/updater.ts'

export interface TasksOptions {
  readonly driverOf: (serverId: string) => AnyDriver
  /** Sends one line to the program of a server. */
  readonly command: (serverId: string, line: string, person: string) => Promise<void>
  readonly machines: MachineTasksOptions
  /** A `BackupWork` document and the document it results in. */
  readonly backups: (
    serverId: string,
    work: string,
    onProgress: OnProgress,
    signal: AbortSignal,
    tellWay: TellWay,
  ) => Promise<string>
  readonly journal: Journal
  readonly log: Logger
  readonly answer: (result: TaskResult) => void
  readonly progress: (progress: TaskProgress) => void
  readonly runPreflight: () => Promise<void>
  /** The newest lines of the agent's own log. */
  readonly ownLog: (lines: number) => readonly string[]
  /** Does long work on the files of a server. Throws `FileRefusal`. */
  readonly fileWork: (
    task: Pick<FileTask, 'taskId' | 'document' | 'onProgress' | 'signal'>,
    serverId: string,
  ) => Promise<FileWorkDone>
  /** The control plane wants to run an occurrence of a schedule. */
  readonly claim: (scheduleId: string, dueMs: number) => ClaimOutcome
  /** Replaces the agent's program. Throws `NotUpdated`. */
  readonly update: (task: UpdateTask) => Promise<void>
  /** Absent on a node without images. */
  readonly freeImages: ((signal: AbortSignal) => Promise<CollectedImages>) | undefined
}

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_LINES = 5_000
/** A result may have half a mebibyte, and the control plane asks again only after a lost stream. */
const MAX_UNSAVED = 100
/** Copying reports every chunk; a message for each would delay more important ones. */
const PROGRESS_MS = 250
/** A result must fit into one message. */
const MAX_LOG_BYTES = 512 * 1024

/**
 * Runs one-shot work whose id the control plane chose: the same id has one effect and one result,
 * however often it is sent.
 */
export class Tasks {
  readonly #options: TasksOptions
  readonly #running = new Map<string, AbortController>()
  /** Results for which the journal had no room. */
  readonly #unsaved = new Map<string, TaskResult>()

  constructor(options: TasksOptions) {
    this.#options = options
  }

  async run(task: Task): Promise<void> {
    const { journal, log, answer } = this.#options
    const known = journal.taskResult(task.taskId) ?? this.#unsaved.get(task.taskId)
    if (known) return answer(known)
    // Resent after a reconnect: the running work will send its result on the new stream.
    if (this.#running.has(task.taskId)) return
    const abort = new AbortController()
    this.#running.set(task.taskId, abort)
    const timeoutMs = (task.timeout?.seconds ?? 0) * 1000 || DEFAULT_TIMEOUT_MS
    const result: TaskResult = {
      taskId: task.taskId,
      outcome: await this.#outcome(task, abort, timeoutMs),
    }
    this.#running.delete(task.taskId)
    // Saved before it is sent: if the stream breaks now, the repeated task returns this result.
    if (!journal.attempt(() => journal.saveTaskResult(result))) this.#keepUnsaved(result)
    log.info(
      { taskId: task.taskId, work: task.work?.$case, outcome: result.outcome?.$case },
      'task',
    )
    answer(result)
  }

  #keepUnsaved(result: TaskResult): void {
    const [oldest] = this.#unsaved.keys()
    if (oldest !== undefined && this.#unsaved.size >= MAX_UNSAVED) this.#unsaved.delete(oldest)
    this.#unsaved.set(result.taskId, result)
  }

  cancel(taskId: string): void {
    this.#running.get(taskId)?.abort(new DriverError('timeout', 'The task was cancelled'))
  }

  async #outcome(
    task: Task,
    abort: AbortController,
    timeoutMs: number,
  ): Promise<TaskResult['outcome']> {
    const timer = setTimeout(
      () => abort.abort(new DriverError('timeout', 'The task took too long', { retryable: true })),
      timeoutMs,
    )
    const aborted = new Promise<never>((_, reject) => {
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason))
    })
    try {
      // Answers on timeout even if the work ignores its signal.
      let direct: boolean | undefined
      const tellWay = (isDirect: boolean) => {
        direct = isDirect
      }
      const done = await Promise.race([this.#work(task, abort.signal, tellWay), aborted])
      return { $case: 'done', value: { ...done, direct } }
    } catch (error) {
      return { $case: 'failure', value: this.#failure(error, task) }
    } finally {
      clearTimeout(timer)
    }
  }

  async #work(task: Task, signal: AbortSignal, tellWay: TellWay): Promise<Done> {
    const { work, serverId, taskId } = task
    const { machines } = this.#options
    const driver = this.#options.driverOf(serverId)
    switch (work?.$case) {
      case 'sendCommand':
        await this.#options.command(serverId, cleanCommand(work.value.text), work.value.person)
        return { output: undefined }
      case 'readLogs': {
        const source = work.value.source === 'install' ? 'install' : 'run'
        const count = Math.min(work.value.lines || 1000, MAX_LINES)
        const lines = newest(await consoleOf(driver).tail(serverId, count, source))
        return { output: { $case: 'logs', value: { lines } } }
      }
      case 'runPreflight':
        await this.#options.runPreflight()
        return { output: undefined }
      case 'readAgentLog': {
        const count = Math.min(work.value.lines || 1000, MAX_LINES)
        return { output: { $case: 'logs', value: { lines: newest(this.#options.ownLog(count)) } } }
      }
      case 'freeImages': {
        if (!this.#options.freeImages) throw new Unsupported()
        const value = await this.#options.freeImages(signal)
        await this.#options.runPreflight()
        return { output: { $case: 'freedImages', value } }
      }
      case 'fileWork': {
        const { document } = work.value
        const onProgress = this.#teller(taskId)
        const done = await this.#options.fileWork(
          { taskId, document, onProgress, signal },
          serverId,
        )
        return { output: { $case: 'fileWork', value: { document: JSON.stringify(done) } } }
      }
      case 'backupWork': {
        const { document } = work.value
        const onProgress = this.#teller(taskId)
        const made = await this.#options.backups(serverId, document, onProgress, signal, tellWay)
        return { output: { $case: 'backupResult', value: { document: made } } }
      }
      case 'claimOccurrence': {
        const outcome = this.#options.claim(work.value.scheduleId, work.value.dueUnixMs)
        return { output: { $case: 'occurrenceClaim', value: { outcome } } }
      }
      case 'updateAgent': {
        const onProgress = this.#teller(taskId)
        await this.#options.update({ taskId, ...work.value, onProgress, signal })
        return { output: undefined }
      }
      default: {
        const done = await runMachineTask(machines, task, this.#teller(taskId), signal, tellWay)
        if (!done) throw new Unsupported()
        return done
      }
    }
  }

  /** Sends progress, but not every piece of it. */
  #teller(taskId: string): (progress: Progress) => void {
    let reportedAtMs = Number.NEGATIVE_INFINITY
    return ({ percent, detail, bytes }) => {
      if (performance.now() - reportedAtMs < PROGRESS_MS) return
      reportedAtMs = performance.now()
      this.#options.progress({
        taskId,
        percent: percent ?? -1,
        detail,
        bytesDone: bytes?.done,
        bytesTotal: bytes?.total ?? undefined,
      })
    }
  }

  #failure(error: unknown, task: Task): Failure {
    if (error instanceof FileRefusal && error.code !== 'file_service_failed') {
      if (error.cause instanceof EgressRefused)
        this.#options.log.warn({ err: error.cause, taskId: task.taskId }, 'nothing was fetched')
      return { code: error.code, detail: error.message, retryable: false }
    }
    if (error instanceof DriverError) {
      return { code: error.code, detail: error.message, retryable: error.retryable }
    }
    if (error instanceof NotUpdated) {
      return { code: 'agent_update_failed', detail: error.message, retryable: false }
    }
    if (error instanceof Unsupported) {
      return { code: 'unsupported', detail: error.message, retryable: false }
    }
    this.#options.log.error({ err: error, taskId: task.taskId }, 'a task failed')
    return { code: 'internal', detail: 'The node could not do this: see its log', retryable: false }
  }
}

class Unsupported extends Error {
  constructor() {
    super('This agent cannot do that yet: update it')
  }
}

function newest(lines: readonly string[]): string[] {
  let room = MAX_LOG_BYTES
  const kept: string[] = []
  for (const line of lines.toReversed()) {
    room -= Buffer.byteLength(line) + 4
    if (room < 0) break
    kept.push(line)
  }
  return kept.reverse()
}
