import { type ServerDuplexStream, status } from '@grpc/grpc-js'
import type { ConnectRequest, ConnectResponse, FenceProof, RelayOpen } from '@lodge/proto/fleet.ts'
import type { Task, TaskResult } from '@lodge/proto/task.ts'
import type { Logger } from 'pino'
import type { Admission, FleetHandlers } from '../handlers.ts'
import type { FleetOptions } from '../options.ts'
import { DesiredStates } from './desired-states.ts'
import { Heartbeats } from './heartbeats.ts'
import { Inbox } from './inbox.ts'
import { Outbox } from './outbox.ts'
import { MessageRate } from './rate.ts'
import { RunningTasks, SessionLost, type TaskOptions } from './running-tasks.ts'

export type AgentStream = ServerDuplexStream<ConnectRequest, ConnectResponse>

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
  /** Of the credential that it was opened with. */
  readonly epoch: number
  readonly outbox: Outbox
  readonly #stream: AgentStream
  readonly #peer: string
  readonly #around: Surroundings
  readonly #inbox: Inbox
  readonly #desired: DesiredStates
  readonly #rate: MessageRate
  readonly #tasks: RunningTasks
  readonly #heartbeats: Heartbeats
  #lastMessageMs = performance.now()
  #syncedMs = performance.now()
  #throttle: NodeJS.Timeout | undefined
  #ended: Promise<void> | undefined
  #over: () => Promise<void> = async () => undefined
  /** Messages received, for the metrics. */
  messages = 0

  constructor(
    stream: AgentStream,
    who: { nodeId: string; id: string; epoch: number; reportThrough: number },
    around: Surroundings,
  ) {
    this.id = who.id
    this.nodeId = who.nodeId
    this.epoch = who.epoch
    this.#stream = stream
    this.#peer = stream.getPeer()
    this.#around = around
    const { options, handlers } = around
    const line = {
      write: (message: ConnectResponse) => stream.write(message),
      onDrain: (drained: () => void) => stream.on('drain', drained),
    }
    this.outbox = new Outbox(line, options.outboxErrands)
    this.#tasks = new RunningTasks(this.outbox)
    const failed = (error: unknown) => this.#fail(error)
    this.#inbox = new Inbox(who.nodeId, handlers, {
      gatherMs: options.gatherMs,
      reportThrough: who.reportThrough,
      applied: (through) => this.outbox.acknowledgeReports(through),
      failed,
      idle: () => this.#read(),
    })
    this.#desired = new DesiredStates(who.nodeId, handlers, this.outbox, failed)
    this.#heartbeats = new Heartbeats({
      record: (beat) => handlers.heartbeat(who.nodeId, who.id, beat),
      acknowledge: (sequence, lease) => this.outbox.acknowledgeBeat(sequence, lease),
      isEnded: () => this.ended,
      superseded: () => void this.end(status.ABORTED, 'another session has taken over'),
      failed,
    })
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
        leaseMode: welcome.mode,
        nodeEpoch: welcome.epoch,
        portRanges: [...welcome.portRanges],
        fenced: welcome.fenced,
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
    if (!this.ended) this.#heartbeats.verify()
  }

  openRelay(relay: RelayOpen): boolean {
    return this.outbox.post({ $case: 'relayOpen', value: relay })
  }

  /**
   * Sends a task and waits for its result.
   * @throws {SessionLost} if the stream breaks first
   * @throws {Problem} node_timeout; node_unavailable if too much is queued for this node
   */
  async run(task: Task, timeoutMs: number, options?: Partial<TaskOptions>): Promise<TaskResult> {
    if (this.ended) throw new SessionLost('The stream of the node has ended')
    return this.#tasks.run(task, timeoutMs, options)
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
    this.#tasks.lose()
    if (code === status.OK) this.#stream.end()
    else this.#stream.emit('error', { code, details })
    this.#cutIfStuck()
    const working = [this.#inbox.close(), this.#desired.close(), this.#heartbeats.settled()]
    await Promise.allSettled(working)
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
        this.#heartbeats.heard(message.value)
        break
      case 'fenceProof':
        void this.#proved(message.value)
        break
      case 'taskProgress':
        this.#tasks.progressed(message.value)
        break
      case 'taskResult':
        this.#tasks.ended(message.value)
        break
      // Ignore a second Hello and messages of newer agents.
      default:
    }
    if (this.#inbox.waiting >= this.#around.options.inboxMessages) this.#stream.pause()
  }

  /** One proof at a time: an agent repeats it until it is accepted. */
  async #proved(proof: FenceProof): Promise<void> {
    if (this.#isProving) return
    this.#isProving = true
    try {
      const { nodeEpoch } = proof
      if (await this.#around.handlers.fenceProof(this.nodeId, this.id, proof))
        this.outbox.post({ $case: 'rejoined', value: { nodeEpoch } })
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#isProving = false
    }
  }
  #isProving = false

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
}
