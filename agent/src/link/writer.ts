import type { ConnectRequest, Report } from '@lodge/proto/fleet.ts'
import type { ServerObserved, ServerProgress } from '@lodge/proto/server.ts'
import type { TaskProgress } from '@lodge/proto/task.ts'
import type { Clock } from '../clock.ts'

type Message = NonNullable<ConnectRequest['message']>

/**
 * The sending end of a stream: `write` returns false when the buffer is full, and `drained` is
 * called once it has room again.
 */
export interface Line {
  write(message: ConnectRequest): boolean
  onDrain(drained: () => void): void
}

export interface WriterSources {
  /** The current observation of a server; undefined when the server is forgotten. */
  readonly observation: (serverId: string) => ServerObserved | undefined
  readonly reportsAfter: (sequence: number, limit: number) => Report[]
  readonly clock: Clock
}

/** Limit on unacknowledged reports in flight. */
const REPORT_WINDOW = 64
/**
 * The control plane throttles a node that exceeds its message rate. Reports stay below it, to leave
 * room for everything else.
 */
const REPORTS_PER_SECOND = 100
const MAX_LOG_LINES = 200
const MAX_PROGRESS = 1_000

/**
 * The only writer of the stream. Task results and heartbeats go first, then changed observations,
 * reports and progress. When the stream is slow, observations and progress of one server are
 * merged; reports wait in the journal; results wait here because they are few and the control plane
 * waits for them.
 */
export class Writer {
  readonly #sources: WriterSources
  #line: Line | null = null
  #blocked = false
  #errands: Message[] = []
  readonly #changed = new Set<string>()
  readonly #progress = new Map<string, ServerProgress>()
  readonly #taskProgress = new Map<string, TaskProgress>()
  /** Reports read ahead of sending them. */
  #batch: Report[] = []
  #sentReports = 0
  #acknowledged = 0
  #inFlight = 0
  #reportsMayWait = true
  #allowance = REPORTS_PER_SECOND
  #allowanceMs = 0
  #cancelTimer: () => void = () => undefined

  constructor(sources: WriterSources) {
    this.#sources = sources
  }

  get isOpen(): boolean {
    return this.#line !== null
  }

  /**
   * Starts writing to a stream.
   * @param reportThrough reports up to this one are already stored by the control plane
   */
  open(line: Line, reportThrough: number): void {
    this.#line = line
    this.#blocked = false
    this.#errands = []
    // Read ahead for another stream, which may have broken before what is older had arrived.
    this.#batch = []
    this.#sentReports = reportThrough
    this.#acknowledged = reportThrough
    this.#inFlight = 0
    this.#reportsMayWait = true
    line.onDrain(() => {
      if (this.#line !== line) return
      this.#blocked = false
      this.#pump()
    })
    this.#pump()
  }

  /** Drops what was queued for this stream: the control plane requests it again on the next one. */
  close(): void {
    this.#line = null
    this.#errands = []
    this.#progress.clear()
    this.#taskProgress.clear()
    this.#cancelTimer()
  }

  /** Queues a message that is never dropped while the stream lasts. */
  post(message: Message): void {
    if (!this.#line) return
    if (message.$case === 'taskResult') this.#taskProgress.delete(message.value.taskId)
    this.#errands.push(message)
    this.#pump()
  }

  /** The full inventory supersedes all pending observations. */
  inventory(servers: ServerObserved[]): void {
    this.#changed.clear()
    this.post({ $case: 'inventory', value: { servers } })
  }

  observed(serverId: string): void {
    this.#changed.add(serverId)
    this.#soon()
  }

  /** Keeps only the newest progress of each task; progress after the task's result is dropped. */
  taskProgress(progress: TaskProgress): void {
    if (!this.#line) return
    if (!this.#taskProgress.has(progress.taskId) && this.#taskProgress.size >= MAX_PROGRESS) return
    this.#taskProgress.set(progress.taskId, progress)
    this.#soon()
  }

  progress(progress: ServerProgress): void {
    if (!this.#line) return
    const earlier = this.#progress.get(progress.serverId)
    if (!earlier && this.#progress.size >= MAX_PROGRESS) return
    const logLines = [...(earlier?.logLines ?? []), ...progress.logLines].slice(-MAX_LOG_LINES)
    this.#progress.set(progress.serverId, { ...progress, logLines })
    this.#soon()
  }

  reported(): void {
    this.#reportsMayWait = true
    this.#soon()
  }

  acknowledged(through: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, through)
    if (this.#acknowledged >= this.#sentReports) this.#inFlight = 0
    else
      this.#inFlight = Math.max(0, Math.min(this.#inFlight, this.#sentReports - this.#acknowledged))
    this.#reportsMayWait = true
    this.#pump()
  }

  /** Defers writing to the next turn, so that simultaneous changes become one message. */
  #soon(): void {
    if (!this.#line || this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#pump()
    })
  }
  #scheduled = false

  #pump(): void {
    while (this.#line && !this.#blocked) {
      const message = this.#next()
      if (!message) return
      if (!this.#line.write({ message })) this.#blocked = true
    }
  }

  #next(): Message | undefined {
    const errand = this.#errands.shift()
    if (errand) return errand
    for (const serverId of this.#changed) {
      this.#changed.delete(serverId)
      const value = this.#sources.observation(serverId)
      if (value) return { $case: 'serverObserved', value }
    }
    const report = this.#nextReport()
    if (report) return { $case: 'report', value: report }
    for (const [taskId, value] of this.#taskProgress) {
      this.#taskProgress.delete(taskId)
      return { $case: 'taskProgress', value }
    }
    for (const [serverId, value] of this.#progress) {
      this.#progress.delete(serverId)
      return { $case: 'serverProgress', value }
    }
    return undefined
  }

  #nextReport(): Report | undefined {
    if (!this.#reportsMayWait || this.#inFlight >= REPORT_WINDOW || !this.#mayReport())
      return undefined
    while (this.#batch[0] && this.#batch[0].sequence <= this.#sentReports) this.#batch.shift()
    if (this.#batch.length === 0) this.#batch = this.#sources.reportsAfter(this.#sentReports, 16)
    const report = this.#batch.shift()
    if (!report) {
      this.#reportsMayWait = false
      return undefined
    }
    this.#sentReports = report.sequence
    this.#inFlight += 1
    return report
  }

  /**
   * A token bucket. It uses the absolute time difference, so that a clock set back does not stall
   * reports.
   */
  #mayReport(): boolean {
    const { clock } = this.#sources
    const nowMs = clock.nowMs()
    const earned = (Math.abs(nowMs - this.#allowanceMs) / 1000) * REPORTS_PER_SECOND
    this.#allowance = Math.min(REPORTS_PER_SECOND, this.#allowance + earned)
    this.#allowanceMs = nowMs
    if (this.#allowance >= 1) {
      this.#allowance -= 1
      return true
    }
    this.#cancelTimer()
    this.#cancelTimer = clock.after(50, () => this.#pump())
    return false
  }
}
