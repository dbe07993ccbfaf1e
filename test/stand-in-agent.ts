import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Hello } from '@lodge/proto/fleet.ts'
import type { DesiredServer, ServerEvent, ServerObserved } from '@lodge/proto/server.ts'
import { HELLO, TestAgent } from '../control-plane/src/fleet/fleet.rig.ts'

const EVENT = {
  reason: 'It fell',
  restartAttempt: 0,
  restartOf: 0,
  restartWaitSeconds: 0,
  lastLines: [],
} satisfies Partial<ServerEvent>
const HEARTBEAT_MS = 3_000

interface Kept {
  wish: DesiredServer
  seen: ServerObserved
  /** Answers to a wish that a newer one has overtaken are not given. */
  turn: number
}

/**
 * One node's agent as far as the wire shows it: it takes wishes and tells what became of them. It
 * keeps what it has over a lost connection, as a real one does. A workload starts in two observations.
 */
export class StandInAgent {
  readonly nodeId: string
  readonly servers = new Map<string, Kept>()
  /** How long the work on a wish takes, in milliseconds. */
  slowMs: () => number = () => 0
  /** What the work on a wish comes to; a failure when it goes wrong. */
  failing: (wish: DesiredServer) => { code: string; detail: string } | undefined = () => undefined
  /** False: wishes are heard and nothing is done about them. */
  working = true
  /** What it says of itself when it connects. */
  hello: Partial<Hello> = {}
  /** The stream of the present connection. */
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

  /** Connects (again), tells everything it has and hears every wish. */
  async connect(fleet = this.#fleet): Promise<void> {
    const line = new TestAgent(fleet, this.nodeId, { credential: this.#credential })
    this.line = line
    line.stream.on('data', ({ message }: { message?: { $case: string; value: unknown } }) => {
      if (message?.$case === 'desiredServer') this.#wished(message.value as DesiredServer)
    })
    clearInterval(this.#beating)
    this.#beating = setInterval(() => this.beat(), HEARTBEAT_MS).unref()
    line.stream.on('close', () => {
      if (this.line === line) clearInterval(this.#beating)
    })
    line.hello({ clockUnixMs: Date.now(), ...this.hello })
    line.say({
      $case: 'inventory',
      value: { servers: [...this.servers.values()].map((kept) => kept.seen) },
    })
    await Promise.race([line.next('desiredEnd'), this.#refused(line)])
  }

  async #refused(line: TestAgent): Promise<never> {
    const { code, details } = await line.over
    throw new Error(`the agent was sent away: ${code} ${details}`)
  }

  /** Says that it lives, and what its drivers are like. */
  beat(drivers = this.hello.drivers ?? HELLO.drivers): void {
    this.line?.say({
      $case: 'heartbeat',
      value: { sequence: ++this.#beats, drivers, preflight: [] },
    })
  }

  /** As when the process is killed: the line is gone without a word. */
  close(): void {
    clearInterval(this.#beating)
    this.line?.close()
    this.line = undefined
  }

  /** Tells of a server again, with changes. */
  tell(serverId: string, change: Partial<ServerObserved>): void {
    const kept = this.servers.get(serverId)
    if (!kept) throw new Error(`the agent does not know ${serverId}`)
    kept.seen = { ...kept.seen, since: new Date(), ...change, observation: ++this.#observation }
    this.line?.say({ $case: 'serverObserved', value: kept.seen })
    if (kept.seen.state === 'absent') this.servers.delete(serverId)
  }

  /** Tells of something in a server's history and waits until that is taken in. */
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

  /** Waits until a wish of this generation or a newer one has been heard. */
  async heard(serverId: string, generation = 1): Promise<DesiredServer> {
    for (;;) {
      const wish = this.servers.get(serverId)?.wish
      if (wish && wish.generation >= generation) return wish
      if (!this.line) throw new Error('the agent is not connected')
      await once(this.line, 'heard')
    }
  }

  #wished(wish: DesiredServer): void {
    const kept = this.servers.get(wish.serverId)
    if (kept && wish.generation < kept.wish.generation) return
    const turn = (kept?.turn ?? 0) + 1
    const seen = kept?.seen ?? nothingOf(wish.serverId)
    this.servers.set(wish.serverId, { wish, seen, turn })
    if (!this.working) return
    const slowMs = this.slowMs()
    if (slowMs > 0) setTimeout(() => this.#work(wish, turn), slowMs)
    else this.#work(wish, turn)
  }

  #work(wish: DesiredServer, turn: number): void {
    if (this.servers.get(wish.serverId)?.turn !== turn) return
    const { generation, run, install } = wish
    const took = { generation, settledGeneration: generation, installed: install }
    const failure = this.failing(wish)
    const wrong = failure && { ...failure, retryable: false }
    if (!wish.removed && wish.power === 2 && !wrong) {
      this.tell(wish.serverId, { generation, state: 'starting', failure: undefined })
      this.tell(wish.serverId, { ...took, run, state: 'running', failure: undefined })
      return
    }
    const state = wish.removed ? 'absent' : wish.power === 2 ? 'crashed' : 'stopped'
    this.tell(wish.serverId, { ...took, state, failure: wrong })
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
