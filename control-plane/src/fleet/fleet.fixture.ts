import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ClientDuplexStream, credentials, Metadata, type StatusObject } from '@grpc/grpc-js'
import {
  type ConnectRequest,
  type ConnectResponse,
  FleetServiceClient,
  type Heartbeat,
  type Hello,
  type Report,
} from '@lodge/proto/fleet.ts'
import type { DesiredServer, ServerObserved } from '@lodge/proto/server.ts'
import type pg from 'pg'
import { pino } from 'pino'
import { openChannels } from '../db/channels.ts'
import { createVault } from '../secrets/vault.ts'
import { type Fleet, startFleet } from './fleet.ts'
import type { FleetHandlers } from './handlers.ts'
import type { FleetOptions } from './options.ts'

/** Shared by the fleet's tests: an in-memory domain and real agents. */

export const CREDENTIAL = 'a-credential-of-a-node-in-a-test'

type Said = NonNullable<ConnectRequest['message']>
type Heard = NonNullable<ConnectResponse['message']>
type Value<K extends Heard['$case']> = Extract<Heard, { $case: K }>['value']

/**
 * Records calls and answers with the desired states it was given. `changed` fires after each call.
 */
export class MemoryDomain extends EventEmitter<{ changed: [] }> implements FleetHandlers {
  readonly calls: string[] = []
  readonly observedBatches: { nodeId: string; servers: ServerObserved[]; complete: boolean }[] = []
  readonly applied: Report[] = []
  readonly sessions = new Map<string, string>()
  readonly desiredStates = new Map<string, Map<string, DesiredServer>>()
  credential = CREDENTIAL
  /** Of the credential. */
  epoch = 3
  through = 0
  beats = 0
  lastBeat: Heartbeat | undefined
  /** The most calls of one kind that ran at the same time. */
  mostConcurrent = 0
  readonly #underWay = new Map<string, number>()
  /** Replaced by tests to make a call fail or block. */
  before: (call: string) => Promise<void> = async () => undefined

  constructor() {
    super()
    this.setMaxListeners(0)
  }

  setDesired(nodeId: string, desired: DesiredServer): void {
    const desiredStates = this.desiredStates.get(nodeId) ?? new Map()
    this.desiredStates.set(nodeId, desiredStates.set(desired.serverId, desired))
  }

  authenticate = async (_nodeId: string, credential: string) => {
    await this.before('authenticate')
    return credential === this.credential ? this.epoch : undefined
  }
  connected: FleetHandlers['connected'] = async (nodeId, _hello, session) => {
    await this.#called('connected')
    this.sessions.set(nodeId, session.id)
    return {
      reportThrough: this.through,
      epoch: this.epoch,
      portRanges: [],
      mode: 'pinned' as const,
      fenced: false,
    }
  }
  disconnected: FleetHandlers['disconnected'] = async (nodeId, sessionId) => {
    await this.#called('disconnected')
    if (this.sessions.get(nodeId) === sessionId) this.sessions.delete(nodeId)
    this.emit('changed')
  }
  heartbeat: FleetHandlers['heartbeat'] = async (nodeId, sessionId, beat) => {
    this.beats += 1
    this.lastBeat = beat
    await this.#called('heartbeat')
    if (this.sessions.get(nodeId) !== sessionId) return { kind: 'superseded' }
    return { kind: 'recorded', lease: null }
  }
  fenceProof: FleetHandlers['fenceProof'] = async () => false
  desiredNode: FleetHandlers['desiredNode'] = async () => ({
    ...{ openings: [], sftpPort: 0, transferPort: 0 },
  })
  directWay: FleetHandlers['directWay'] = async () => undefined
  desired: FleetHandlers['desired'] = async (nodeId) => {
    await this.#called('desired')
    return { states: [...(this.desiredStates.get(nodeId)?.values() ?? [])], isWhole: true }
  }
  desiredOne: FleetHandlers['desiredOne'] = async (nodeId, serverId) => {
    await this.#called('desiredOne')
    return this.desiredStates.get(nodeId)?.get(serverId)
  }
  observed: FleetHandlers['observed'] = async (nodeId, servers, complete) => {
    await this.#alone('observed', async () => {
      await this.#called('observed')
      this.observedBatches.push({ nodeId, servers, complete })
    })
  }
  progress: FleetHandlers['progress'] = async () => {
    await this.#alone('progress', () => this.#called('progress'))
  }
  reports: FleetHandlers['reports'] = async (_nodeId, reports) => {
    await this.#alone('reports', async () => {
      await this.#called('reports')
      this.applied.push(...reports)
      this.through = Math.max(this.through, ...reports.map((report) => report.sequence))
    })
    return this.through
  }

  async #alone(kind: string, work: () => Promise<void>): Promise<void> {
    const underWay = (this.#underWay.get(kind) ?? 0) + 1
    this.#underWay.set(kind, underWay)
    this.mostConcurrent = Math.max(this.mostConcurrent, underWay)
    try {
      await work()
    } finally {
      this.#underWay.set(kind, (this.#underWay.get(kind) ?? 1) - 1)
      this.emit('changed')
    }
  }

  async #called(call: string): Promise<void> {
    this.calls.push(call)
    this.emit('changed')
    await this.before(call)
    this.emit('changed')
  }

  /** Resolves when the fact holds; checked after every call. */
  until(fact: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!fact()) return
        this.off('changed', look)
        resolve()
      }
      this.on('changed', look)
      look()
    })
  }
}

/** A real agent's end of the stream. */
export class TestAgent extends EventEmitter<{ heard: [] }> {
  readonly stream: ClientDuplexStream<ConnectRequest, ConnectResponse>
  readonly heard: Heard[] = []
  readonly nodeId: string
  readonly #client: FleetServiceClient
  /** The final status of the stream. */
  readonly over: Promise<StatusObject>

  constructor(
    fleet: { port: number; caCertificate: string },
    nodeId: string,
    given: { credential?: string; ca?: string; name?: string; metadata?: Metadata } = {},
  ) {
    super()
    this.setMaxListeners(0)
    this.nodeId = nodeId
    this.#client = new FleetServiceClient(
      `127.0.0.1:${fleet.port}`,
      credentials.createSsl(Buffer.from(given.ca ?? fleet.caCertificate)),
      {
        'grpc.ssl_target_name_override': given.name ?? 'lodge',
        'grpc.default_authority': given.name ?? 'lodge',
        'grpc.use_local_subchannel_pool': 1,
        'grpc.enable_channelz': 0,
      },
    )
    const metadata = given.metadata ?? new Metadata()
    if (!given.metadata) {
      metadata.set('authorization', `Bearer ${given.credential ?? CREDENTIAL}`)
      metadata.set('x-node-id', nodeId)
    }
    this.stream = this.#client.connect(metadata)
    this.over = new Promise((resolve) => this.stream.on('status', resolve))
    this.stream.on('error', () => undefined)
    this.stream.on('data', ({ message }: ConnectResponse) => {
      if (message) this.heard.push(message)
      this.emit('heard')
    })
  }

  say(message: Said): void {
    this.stream.write({ message })
  }

  hello(given: Partial<Hello> = {}): void {
    this.say({ $case: 'hello', value: { ...HELLO, ...given } })
  }

  /** The first matching message, received already or later. */
  async next<K extends Heard['$case']>(
    kind: K,
    fits: (value: Value<K>) => boolean = () => true,
  ): Promise<Value<K>> {
    const isKind = (said: {
      $case: string
      value: unknown
    }): said is { $case: K; value: Value<K> } => said.$case === kind
    for (;;) {
      const heard: { $case: string; value: unknown }[] = this.heard
      const found = heard.filter(isKind).find(({ value }) => fits(value))
      if (found) return found.value
      await once(this, 'heard')
    }
  }

  count(kind: Heard['$case']): number {
    return this.heard.filter((message) => message.$case === kind).length
  }

  async heardCount(kind: Heard['$case'], count: number): Promise<void> {
    while (this.count(kind) < count) await once(this, 'heard')
  }

  close(): void {
    this.stream.cancel()
    this.#client.close()
  }
}

/** The test agents' Hello. */
export const HELLO: Hello = {
  protocolMinor: 1,
  agentVersion: '0.1.0',
  bootId: 'boot',
  drivers: [{ kind: 'docker', healthy: true, version: '28', why: '', warnings: [] }],
  capabilities: [],
  preflight: [],
  newestReport: 0,
  cpuCores: 4,
  memoryBytes: 8 * 2 ** 30,
  diskBytes: 100 * 2 ** 30,
  clockUnixMs: 0,
}

export const desiredFor = (serverId: string, generation: number, spec = '{}'): DesiredServer => ({
  serverId,
  generation,
  power: 2,
  run: 1,
  install: 1,
  ending: 1,
  removed: false,
  crashPolicy: { mode: 'on-failure', maxRestarts: 3, windowMinutes: 10, backoffSeconds: [1] },
  containerSpec: spec,
  placementGeneration: 1,
})

export const observation = (serverId: string, number: number, state = 'running') => ({
  serverId,
  observation: number,
  state,
  since: undefined,
  generation: 1,
  settledGeneration: 1,
  run: 1,
  installed: 1,
  restartRequired: false,
  diskLimit: '',
  installFailed: false,
})

export const crashReport = (sequence: number): Report => ({
  sequence,
  content: {
    $case: 'serverEvent',
    value: {
      eventId: crypto.randomUUID(),
      serverId: crypto.randomUUID(),
      kind: 'crashed',
      at: undefined,
      reason: '',
      restartAttempt: 0,
      restartOf: 0,
      restartWaitSeconds: 0,
      lastLines: [],
    },
  },
})

export interface Fixture {
  readonly fleet: Fleet
  readonly domain: MemoryDomain
  agent(nodeId?: string, given?: ConstructorParameters<typeof TestAgent>[2]): TestAgent
  /** An agent that has been welcomed and has received every desired state. */
  connected(nodeId?: string): Promise<TestAgent>
  stop(): Promise<void>
}

/** One control plane's fleet on a free port. Fixtures that share a folder share the authority. */
export async function openFixture(
  pool: pg.Pool,
  given: {
    options?: Partial<FleetOptions>
    domain?: MemoryDomain
    folder?: string
    httpHandler?: Parameters<typeof startFleet>[0]['httpHandler']
    instanceAddress?: string
  } = {},
): Promise<Fixture> {
  const folder = given.folder ?? (await mkdtemp(path.join(tmpdir(), 'lodge-fleet-')))
  const domain = given.domain ?? new MemoryDomain()
  const log = pino({ level: process.env.LODGE_LOG_LEVEL ?? 'silent' })
  // The pool's options hide the password from enumeration.
  const channels = openChannels({ ...pool.options, password: pool.options.password }, log)
  const fleet = await startFleet({
    pool,
    channels,
    log,
    // All instances on one database share the key.
    vault: createVault(Buffer.alloc(32, 7)),
    authorityFolder: folder,
    host: '127.0.0.1',
    port: 0,
    instanceAddress: given.instanceAddress,
    handlers: domain,
    httpHandler: given.httpHandler ?? ((_request, response) => void response.end('door')),
    options: given.options ?? {},
  })
  const agents: TestAgent[] = []
  const agent: Fixture['agent'] = (nodeId = crypto.randomUUID(), more = {}) => {
    const made = new TestAgent(fleet, nodeId, more)
    agents.push(made)
    return made
  }
  return {
    fleet,
    domain,
    agent,
    async connected(nodeId) {
      const made = agent(nodeId)
      made.hello()
      await made.next('desiredEnd')
      return made
    },
    async stop() {
      for (const made of agents) made.close()
      await fleet.stop()
      await channels.stop()
      if (!given.folder) await rm(folder, { recursive: true })
    },
  }
}
