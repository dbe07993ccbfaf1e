import { type ServerDuplexStream, status } from '@grpc/grpc-js'
import type { ConnectRequest, ConnectResponse, Heartbeat, RelayOpen } from '@lodge/proto/fleet.ts'
import type { Task, TaskProgress, TaskResult } from '@lodge/proto/task.ts'
import type { Logger } from 'pino'
import { Problem } from '../../problem.ts'
import type { Admission, FleetHandlers } from '../handlers.ts'
import type { FleetOptions } from '../options.ts'
import { DesiredStates } from './desired-states.ts'
import { Inbox } from './inbox.ts'
import { Outbox } from './outbox.ts'
import { MessageRate } from './rate.ts'

export type AgentStream = ServerDuplexStream<ConnectRequest, ConnectResponse>

/** The stream broke during a task; the same task may be sent on the next one. */
export class SessionLost extends Error {}

export interface TaskOptions {
  readonly timeoutMs: number
  /** Progress of the node; reported only while this instance holds its stream. */
  readonly onProgress?: (progress: TaskProgress) => void
  /** Cancels the task. The promise rejects with the signal's reason at once. */
  readonly signal?: AbortSignal
}

interface Surroundings {
  readonly handlers: FleetHandlers
  readonly options: FleetOptions
  readonly log: Logger
  /** Resets the underlying connection when the stream does not end by itself. */
  readonly cut: (peer: string) => void
}

/** One open stream of a node, from Welcome to its end. */
export class AgentSession {
  readonly id: string
  readonly nodeId: string
  readonly outbox: Outbox
  readonly #stream: AgentStream
  readonly #peer: string
  readonly #around: Surroundings
  readonly #inbox: Inbox
  readonly #desired: DesiredStates
  readonly #rate: MessageRate
  readonly #tasks = new Map<string, (result: TaskResult | SessionLost) => void>()
  readonly #progress = new Map<string, (progress: TaskProgress) => void>()
  #lastMessageMs = performance.now()
  #syncedMs = performance.now()
  /** The next to record. */
  #beat: Heartbeat | undefined
  /** Handed over in vain; its news comes with the next one. */
  #untaken: Heartbeat | undefined
  #lastBeat: Heartbeat | undefined
  #beating: Promise<void> | undefined
  #throttle: NodeJS.Timeout | undefined
  #ended: Promise<void> | undefined
  #over: () => Promise<void> = async () => undefined
  /** Messages received, for the metrics. */
  messages = 0

  constructor(
    stream: AgentStream,
    who: { nodeId: string; id: string; reportThrough: number },
    around: Surroundings,
  ) {
    this.id = who.id
    this.nodeId = who.nodeId
    this.#stream = stream
    this.#peer = stream.getPeer()
    this.#around = around
    const { options, handlers } = around
    const line = {
      write: (message: ConnectResponse) => stream.write(message),
      onDrain: (drained: () => void) => stream.on('drain', drained),
    }
    this.outbox = new Outbox(line, options.outboxErrands)
    const failed = (error: unknown) => this.#fail(error)
    this.#inbox = new Inbox(who.nodeId, handlers, {
      gatherMs: options.gatherMs,
      reportThrough: who.reportThrough,
      applied: (through) => this.outbox.acknowledgeReports(through),
      failed,
      idle: () => this.#read(),
    })
    this.#desired = new DesiredStates(who.nodeId, handlers, this.outbox, failed)
    this.#rate = new MessageRate(options.messagesPerSecond, options.messageBurst, performance.now())
  }

  get ended(): boolean {
    return this.#ended !== undefined
  }

  /**
   * Welcomes the agent, sends all desired states and starts reading.
   * @param over called once, after the last call into the domains has finished
   */
  start(welcome: Admission, over: () => Promise<void>): void {
    const { options } = this.#around
    this.outbox.post({
      $case: 'welcome',
      value: {
        protocolMinor: options.protocolMinor,
        sessionId: this.id,
        heartbeatEvery: { seconds: options.heartbeatSeconds, nanos: 0 },
        sampleEvery: { seconds: options.sampleSeconds, nanos: 0 },
        reportThrough: welcome.reportThrough,
        leaseMode: 'pinned',
        nodeEpoch: welcome.epoch,
        portRanges: [...welcome.portRanges],
      },
    })
    this.#over = over
    this.#stream.on('data', (message: ConnectRequest) => this.#receive(message))
    this.#stream.on('cancelled', () => void this.end(status.CANCELLED, 'the connection is gone'))
    this.#stream.on('end', () => void this.end(status.OK, 'goodbye'))
    this.#stream.on('close', () => void this.end(status.OK, 'goodbye'))
    this.#stream.on('error', () => void this.end(status.CANCELLED, 'the stream broke'))
    this.wake()
    this.#stream.resume()
  }

  /** Signals that the desired state of this server, or of any if omitted, may have changed. */
  wake(serverId?: string): void {
    if (serverId === undefined) this.#syncedMs = performance.now()
    this.#desired.changed(serverId)
  }

  /** Another instance claims the node's session: checks whether this one is still current. */
  verify(): void {
    if (this.ended || !this.#lastBeat) return
    this.#beat ??= this.#lastBeat
    this.#beating ??= this.#recordBeats()
  }

  openRelay(relay: RelayOpen): boolean {
    return this.outbox.post({ $case: 'relayOpen', value: relay })
  }

  /**
   * Sends a task and waits for its result.
   * @throws {SessionLost} if the stream breaks first
   * @throws {Problem} node_timeout; node_unavailable if too much is queued for this node
   */
  run(task: Task, timeoutMs: number, options: Partial<TaskOptions> = {}): Promise<TaskResult> {
    const { signal, onProgress } = options
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(new SessionLost('The stream of the node has ended'))
      const over = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', takeBack)
        this.#tasks.delete(task.taskId)
        this.#progress.delete(task.taskId)
      }
      const giveUp = (reason: unknown) => {
        over()
        this.outbox.post({ $case: 'taskCancel', value: { taskId: task.taskId } })
        reject(reason)
      }
      const takeBack = () => giveUp(signal?.reason)
      const timer = setTimeout(
        () => giveUp(new Problem('node_timeout', 'The node did not answer in time')),
        timeoutMs,
      )
      signal?.addEventListener('abort', takeBack, { once: true })
      if (onProgress) this.#progress.set(task.taskId, onProgress)
      this.#tasks.set(task.taskId, (result) => {
        over()
        if (result instanceof SessionLost) reject(result)
        else resolve(result)
      })
      if (this.outbox.post({ $case: 'task', value: task })) return
      over()
      reject(new Problem('node_unavailable', 'Too much work is already waiting for this node'))
    })
  }

  /** Checks the clock: missed heartbeats, a stalled reader, and the next resync. */
  inspect(nowMs: number): void {
    const { options } = this.#around
    const reading = !this.#stream.isPaused()
    const silentMs = options.heartbeatSeconds * options.silentHeartbeats * 1000
    if (reading && nowMs - this.#lastMessageMs > silentMs) {
      void this.end(status.DEADLINE_EXCEEDED, 'no heartbeat was heard')
    } else if (nowMs - (this.outbox.blockedSinceMs ?? nowMs) > options.stalledMs) {
      void this.end(status.RESOURCE_EXHAUSTED, 'the agent does not read')
    } else if (nowMs - this.#syncedMs > options.resyncMs) {
      this.wake()
    }
  }

  /** Ends the stream; resolves once the domains have been notified. Later calls join the first. */
  end(code: number, details: string): Promise<void> {
    // Deferred, because ending the stream emits events that call back into this session.
    this.#ended ??= Promise.resolve().then(() => this.#finish(code, details))
    return this.#ended
  }

  async #finish(code: number, details: string): Promise<void> {
    this.#around.log.debug({ nodeId: this.nodeId, sessionId: this.id, details }, 'session ends')
    clearTimeout(this.#throttle)
    this.outbox.close()
    for (const settle of [...this.#tasks.values()]) {
      settle(new SessionLost('The stream of the node has ended'))
    }
    if (code === status.OK) this.#stream.end()
    else this.#stream.emit('error', { code, details })
    this.#cutIfStuck()
    await Promise.allSettled([this.#inbox.close(), this.#desired.close(), this.#beating])
    await this.#over()
  }

  /** A stalled reader also blocks the end of the stream, so the connection must be reset. */
  #cutIfStuck(): void {
    if (this.#stream.cancelled || this.#stream.destroyed) return
    const timer = setTimeout(() => this.#around.cut(this.#peer), 3_000)
    this.#stream.once('close', () => clearTimeout(timer))
    this.#stream.once('cancelled', () => clearTimeout(timer))
  }

  #fail(error: unknown): void {
    this.#around.log.warn(
      { err: error, nodeId: this.nodeId },
      'could not process a message of a node',
    )
    void this.end(status.UNAVAILABLE, 'try again later')
  }

  #receive({ message }: ConnectRequest): void {
    if (this.ended) return
    const nowMs = performance.now()
    this.#lastMessageMs = nowMs
    this.messages += 1
    const waitMs = this.#rate.take(nowMs)
    if (waitMs > 0) this.#slowDown(waitMs, nowMs)
    switch (message?.$case) {
      case 'inventory':
        this.#inbox.inventory(message.value.servers)
        break
      case 'serverObserved':
        this.#inbox.observed(message.value)
        break
      case 'report':
        if (!this.#inbox.report(message.value))
          void this.end(status.INVALID_ARGUMENT, 'the number of a report is not the next one')
        break
      case 'serverProgress':
        this.#inbox.progress(message.value)
        break
      case 'heartbeat':
        // Agents send news once per session, so what an earlier beat told must not be lost with it.
        this.#beat = withNewsOf(this.#beat ?? this.#untaken, message.value)
        this.#lastBeat = this.#beat
        this.#beating ??= this.#recordBeats()
        break
      case 'taskProgress':
        this.#progress.get(message.value.taskId)?.(message.value)
        break
      case 'taskResult':
        this.#tasks.get(message.value.taskId)?.(message.value)
        break
      // Ignore a second Hello and messages of newer agents.
      default:
    }
    if (this.#inbox.waiting >= this.#around.options.inboxMessages) this.#stream.pause()
  }

  #slowDown(waitMs: number, nowMs: number): void {
    if (this.#rate.exceededMs(nowMs) > this.#around.options.throttledMs) {
      void this.end(status.RESOURCE_EXHAUSTED, 'too many messages')
      return
    }
    this.#stream.pause()
    this.#throttle ??= setTimeout(() => {
      this.#throttle = undefined
      this.#read()
    }, waitMs)
  }

  /** Keeps reading unless the rate or a full inbox pauses the stream. */
  #read(): void {
    if (this.ended || this.#throttle) return
    if (this.#inbox.waiting >= this.#around.options.inboxMessages) return
    if (this.#stream.isPaused()) {
      // Silence while we did not read is not the agent's fault.
      this.#lastMessageMs = performance.now()
      this.#stream.resume()
    }
  }

  async #recordBeats(): Promise<void> {
    try {
      while (this.#beat && !this.ended) {
        const beat = this.#beat
        this.#beat = undefined
        this.#untaken = undefined
        // Only the database decides whose session this is; a fenced one must stop acting.
        const heard = await this.#around.handlers.heartbeat(this.nodeId, this.id, beat)
        if (heard === 'superseded') {
          void this.end(status.ABORTED, 'another session has taken over')
          return
        }
        if (heard === 'later') {
          if (this.#beat) this.#beat = withNewsOf(beat, this.#beat)
          else this.#untaken = beat
        }
        this.outbox.acknowledgeBeat(beat.sequence)
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#beating = undefined
    }
  }
}

/** The later of two heartbeats, with the news of the earlier where it has none of its own. */
const withNewsOf = (earlier: Heartbeat | undefined, beat: Heartbeat): Heartbeat => ({
  ...beat,
  preflight: beat.preflight.length > 0 ? beat.preflight : (earlier?.preflight ?? []),
  virtualization: beat.virtualization || earlier?.virtualization,
})
