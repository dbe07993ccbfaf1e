import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Hello } from '@lodge/proto/fleet.ts'
import type { DesiredServer, ServerEvent, ServerObserved } from '@lodge/proto/server.ts'
import type { Task, TaskResult } from '@lodge/proto/task.ts'
import { HELLO, TestAgent } from '../../control-plane/src/fleet/fleet.fixture.ts'

const EVENT = {
  reason: 'It fell',
  restartAttempt: 0,
  restartOf: 0,
  restartWaitSeconds: 0,
  lastLines: [],
} satisfies Partial<ServerEvent>
const HEARTBEAT_MS = 3_000

interface Kept {
  desired: DesiredServer
  seen: ServerObserved
  /** Counts desired states: one that a newer one has overtaken gets no response. */
  turn: number
  /** Where the desired state came from. */
  line: TestAgent | undefined
}

/**
 * A node's agent as seen on the wire: it receives desired states and reports the results. It keeps
 * its servers across a lost connection, as a real one does. A workload starts in two observations.
 */
export class StandInAgent {
  readonly nodeId: string
  readonly servers = new Map<string, Kept>()
  /** How long the work on a desired state takes, in milliseconds. */
  slowMs: () => number = () => 0
  /** The result of the work on a desired state; a failure when it returns one. */
  failing: (desired: DesiredServer) => { code: string; detail: string } | undefined = () =>
    undefined
  /** Its answer to a task; undefined for the default. */
  doing: (task: Task) => Promise<TaskResult['outcome']> | undefined = () => undefined
  /** False: desired states are received and ignored. */
  working = true
  /** False: its engines have not responded yet, so it cannot report its servers. */
  knowsServers = true
  /** The output of every server. */
  logs: readonly string[] = []
  /** What it reports about itself when it connects. */
  hello: Partial<Hello> = {}
  /** The stream of the current connection. */
  line: TestAgent | undefined
  readonly #fleet: { port: number; caCertificate: string }
  readonly #credential: string
  #observation = 0
  #beats = 0
  #reports = 0
  #beating: NodeJS.Timeout | undefined

  constructor(
    fleet: { port: number; caCertificate: string },
    node: { readonly id: string; readonly credential: string },
  ) {
    this.#fleet = fleet
    this.nodeId = node.id
    this.#credential = node.credential
  }

  /** Connects (again), reports everything it has and receives every desired state. */
  async connect(fleet = this.#fleet): Promise<void> {
    const line = new TestAgent(fleet, this.nodeId, { credential: this.#credential })
    this.line = line
    line.stream.on('data', ({ message }: { message?: { $case: string; value: unknown } }) => {
      if (message?.$case === 'desiredServer') this.#wanted(message.value as DesiredServer)
      if (message?.$case === 'task') this.#asked(message.value as Task)
    })
    clearInterval(this.#beating)
    this.#beating = setInterval(() => this.beat(), HEARTBEAT_MS).unref()
    line.stream.on('close', () => {
      if (this.line === line) clearInterval(this.#beating)
    })
    line.hello({ clockUnixMs: Date.now(), ...this.hello })
    if (this.knowsServers) this.tellAll()
    await Promise.race([line.next('desiredEnd'), this.#refused(line)])
  }

  async #refused(line: TestAgent): Promise<never> {
    const { code, details } = await line.over
    throw new Error(`the agent was sent away: ${code} ${details}`)
  }

  /** Reports everything it has. */
  tellAll(): void {
    this.line?.say({
      $case: 'inventory',
      value: { servers: [...this.servers.values()].map((kept) => kept.seen) },
    })
  }

  /**
   * Sends a heartbeat with the state of its drivers, and checks that differ from the last ones.
   * @returns its number
   */
  beat(drivers = this.hello.drivers ?? HELLO.drivers, preflight: Hello['preflight'] = []): number {
    const sequence = ++this.#beats
    this.line?.say({ $case: 'heartbeat', value: { sequence, drivers, preflight } })
    return sequence
  }

  /** As when the process is killed: the connection ends without notice. */
  close(): void {
    clearInterval(this.#beating)
    this.line?.close()
    this.line = undefined
  }

  /** Reports a server again, with changes. */
  tell(serverId: string, change: Partial<ServerObserved>): void {
    const kept = this.servers.get(serverId)
    if (!kept) throw new Error(`the agent does not know ${serverId}`)
    kept.seen = { ...kept.seen, since: new Date(), ...change, observation: ++this.#observation }
    this.line?.say({ $case: 'serverObserved', value: kept.seen })
    if (kept.seen.state === 'absent') this.servers.delete(serverId)
  }

  /** Reports an event in a server's history and waits until it is processed. */
  async happened(serverId: string, event: Partial<ServerEvent> & { kind: string }): Promise<void> {
    const line = this.line
    const { reportThrough } = (await line?.next('welcome')) ?? { reportThrough: 0 }
    const sequence = Math.max(this.#reports, reportThrough) + 1
    this.#reports = sequence
    const value = { ...EVENT, serverId, eventId: randomUUID(), at: new Date(), ...event }
    line?.say({
      $case: 'report',
      value: { sequence, content: { $case: 'serverEvent', value } },
    })
    await line?.next('reportAck', (ack) => ack.through >= sequence)
  }

  /** Waits until a desired state of this generation or a newer one has arrived. */
  async heard(serverId: string, generation = 1): Promise<DesiredServer> {
    for (;;) {
      const desired = this.servers.get(serverId)?.desired
      if (desired && desired.generation >= generation) return desired
      if (!this.line) throw new Error('the agent is not connected')
      await once(this.line, 'heard')
    }
  }

  /** Accepts commands, and reports output. Other tasks get no response. */
  #asked(task: Task): void {
    const { taskId, work } = task
    const doing = this.doing(task)
    if (doing !== undefined)
      return void doing.then((outcome) =>
        this.line?.say({ $case: 'taskResult', value: { taskId, outcome } }),
      )
    const output =
      work?.$case === 'readLogs'
        ? { $case: 'logs' as const, value: { lines: [...this.logs] } }
        : undefined
    if (work?.$case !== 'sendCommand' && !output) return
    const outcome = { $case: 'done' as const, value: { output } }
    this.line?.say({ $case: 'taskResult', value: { taskId, outcome } })
  }

  #wanted(desired: DesiredServer): void {
    const kept = this.servers.get(desired.serverId)
    if (kept && desired.generation < kept.desired.generation) return
    if (kept && desired.generation === kept.desired.generation && kept.line === this.line) {
      // It was repeated, or only its schedules changed: there is nothing to do.
      kept.desired = desired
      return
    }
    const turn = (kept?.turn ?? 0) + 1
    const seen = kept?.seen ?? nothingOf(desired.serverId)
    this.servers.set(desired.serverId, { desired, seen, turn, line: this.line })
    if (!this.working) return
    const slowMs = this.slowMs()
    if (slowMs > 0) setTimeout(() => this.#work(desired, turn), slowMs)
    else this.#work(desired, turn)
  }

  #work(desired: DesiredServer, turn: number): void {
    if (this.servers.get(desired.serverId)?.turn !== turn) return
    const { generation, run, install } = desired
    const took = { generation, settledGeneration: generation, installed: install }
    const failure = this.failing(desired)
    const wrong = failure && { ...failure, retryable: false }
    if (!desired.removed && desired.power === 2 && !wrong) {
      this.tell(desired.serverId, { generation, state: 'starting', failure: undefined })
      this.tell(desired.serverId, { ...took, run, state: 'running', failure: undefined })
      return
    }
    const state = desired.removed ? 'absent' : desired.power === 2 ? 'crashed' : 'stopped'
    this.tell(desired.serverId, { ...took, state, failure: wrong })
  }
}

const nothingOf = (serverId: string): ServerObserved => ({
  serverId,
  observation: 0,
  state: 'absent',
  since: undefined,
  generation: 0,
  settledGeneration: 0,
  run: 0,
  installed: 0,
  restartRequired: false,
  diskLimit: '',
  installFailed: false,
})
