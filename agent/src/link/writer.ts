import type { ConnectRequest, Report } from '@lodge/proto/fleet.ts'
import type { ServerObserved, ServerProgress } from '@lodge/proto/server.ts'
import type { TaskProgress } from '@lodge/proto/task.ts'
import type { Clock } from '../clock.ts'

type Message = NonNullable<ConnectRequest['message']>

/** The writing end of a stream: `write` says false when it is full, `drained` is called back once it is not. */
export interface Line {
  write(message: ConnectRequest): boolean
  onDrain(drained: () => void): void
}

export interface WriterSources {
  /** The present observation of a server; undefined when it is forgotten. */
  readonly observation: (serverId: string) => ServerObserved | undefined
  readonly reportsAfter: (sequence: number, limit: number) => Report[]
  readonly clock: Clock
}

/** Reports that may be on their way unacknowledged. */
const REPORT_WINDOW = 64
/** The control plane reads a node slowly that says more than this, and it has more to say than reports. */
const REPORTS_PER_SECOND = 100
const MAX_LOG_LINES = 200
const MAX_PROGRESS = 1_000

/**
 * The one writer of the stream. Results and beats go first, then what changed, then reports, then
 * progress. A slow line makes observations and progress of one server merge; reports wait in the
 * journal, and results wait here because they are few and asked for.
 */
export class Writer {
  readonly #sources: WriterSources
  #line: Line | null = null
  #blocked = false
  #errands: Message[] = []
  readonly #changed = new Set<string>()
  readonly #progress = new Map<string, ServerProgress>()
  readonly #taskProgress = new Map<string, TaskProgress>()
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

  /** @param reportThrough reports up to this one need not be sent */
  open(line: Line, reportThrough: number): void {
    this.#line = line
    this.#blocked = false
    this.#errands = []
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

  /** What waits for this line is asked for again on the next one. */
  close(): void {
    this.#line = null
    this.#errands = []
    this.#progress.clear()
    this.#taskProgress.clear()
    this.#cancelTimer()
  }

  /** Never dropped while the line lasts. */
  post(message: Message): void {
    if (!this.#line) return
    if (message.$case === 'taskResult') this.#taskProgress.delete(message.value.taskId)
    this.#errands.push(message)
    this.#pump()
  }

  /** The whole inventory takes the place of all single observations that wait. */
  inventory(servers: ServerObserved[]): void {
    this.#changed.clear()
    this.post({ $case: 'inventory', value: { servers } })
  }

  observed(serverId: string): void {
    this.#changed.add(serverId)
    this.#soon()
  }

  /** Only the newest of each task waits; one that comes after the task's end is of no use to anybody. */
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

  /** Lets changes of the same moment become one message. */
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

  #batch: Report[] = []

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
