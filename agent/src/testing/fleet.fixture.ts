import { EventEmitter } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import {
  Server as GrpcServer,
  ServerCredentials,
  type ServerDuplexStream,
  status,
} from '@grpc/grpc-js'
import {
  type ConnectRequest,
  type ConnectResponse,
  type FenceProof,
  FleetServiceService,
  type Hello,
} from '@lodge/proto/fleet.ts'
import type { DesiredServer, ServerEvent, ServerObserved } from '@lodge/proto/server.ts'
import { NodeRun } from '@lodge/shared/node-schedules.ts'
import type { Identity } from '../enrollment/identity.ts'
import { bootMs } from '../guard/boot-clock.ts'
import { type TestAuthority, testAuthority } from './authority.fixture.ts'

export const NODE_ID = '6f1c1c62-5f0e-4a51-9a55-9d6c1de3ce10'
export const CREDENTIAL = 'credential-of-a-test'
export const ONE_TIME_TOKEN = 'one-time-token-of-a-test'

type Stream = ServerDuplexStream<ConnectRequest, ConnectResponse>
type Said = NonNullable<ConnectRequest['message']>
type ToAgent = NonNullable<ConnectResponse['message']>

/**
 * The control plane's end, over real TLS, gRPC and HTTP: sends what a test desires and records what
 * the agent sends.
 */
export class FleetFixture extends EventEmitter<{ heard: [] }> {
  readonly said: Said[] = []
  readonly hellos: Hello[] = []
  readonly desiredStates = new Map<string, DesiredServer>()
  readonly observed = new Map<string, ServerObserved>()
  readonly inventories: ServerObserved[][] = []
  readonly events: ServerEvent[] = []
  /** What was told of each run of a schedule, newest last. */
  readonly runs: NodeRun[] = []
  /** Every report number that was applied, in order. */
  readonly applied: number[] = []
  readonly relays = new Map<string, (socket: Duplex, head: Buffer) => void>()
  readonly authority: TestAuthority
  /** Every boot permit request. */
  readonly bootQuestions: URL[] = []
  /**
   * Overrides the answer to a boot permit request, which is "allow" by default; null: a server
   * error.
   */
  bootAnswer: (question: URL) => object | null = () => ({})
  through = 0
  heartbeatSeconds = 1
  /** Ports assigned to the node's servers. */
  portRanges: { from: number; to: number }[] = []
  sampleSeconds = 1
  acknowledge = true
  /** How long a granted lease lasts; null: none is granted. */
  leaseTtlMs: number | null = null
  nodeEpoch = 1
  /** The node was taken over; a proof ends it. */
  fenced = false
  readonly proofs: FenceProof[] = []
  /** When the newest heartbeat that was granted a lease was heard, on the boot clock. */
  grantedMs = 0
  #stream: Stream | null = null
  #port = 0
  #secure: tls.Server | null = null
  #grpc: GrpcServer | null = null
  readonly #sockets = new Set<tls.TLSSocket>()

  private constructor(authority: TestAuthority) {
    super()
    this.setMaxListeners(0)
    this.authority = authority
  }

  static async open(): Promise<FleetFixture> {
    const fixture = new FleetFixture(await testAuthority())
    await fixture.listen()
    return fixture
  }

  get port(): number {
    return this.#port
  }

  get identity(): Identity {
    return {
      nodeId: NODE_ID,
      credential: CREDENTIAL,
      caCertificate: this.authority.certificate,
      fleetAddress: `127.0.0.1:${this.#port}`,
      serverName: 'lodge',
    }
  }

  get joinToken(): string {
    const content = {
      u: `https://127.0.0.1:${this.#port}`,
      t: ONE_TIME_TOKEN,
      f: this.authority.fingerprint,
    }
    return `lodge1.${Buffer.from(JSON.stringify(content)).toString('base64url')}`
  }

  get connected(): boolean {
    return this.#stream !== null
  }

  /** Listens, on the previous port if there was one. */
  async listen(): Promise<void> {
    const grpc = new GrpcServer()
    grpc.addService(FleetServiceService, { connect: (stream: Stream) => this.#serve(stream) })
    const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure())
    const plain = http.createServer((request, response) => {
      if (request.url?.startsWith('/api/agent/servers/')) this.#authorize(request, response)
      else void this.#enroll(request, response)
    })
    plain.on('upgrade', (request, socket, head) => this.#redeem(request, socket, head))
    const secure = tls.createServer({ ...this.authority.leaf, ALPNProtocols: ['h2', 'http/1.1'] })
    secure.on('secureConnection', (socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => this.#sockets.delete(socket))
      if (socket.alpnProtocol === 'h2') injector.injectConnection(socket)
      else plain.emit('connection', socket)
    })
    await new Promise<void>((resolve) => secure.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (secure.address() as AddressInfo).port
    this.#secure = secure
    this.#grpc = grpc
  }

  /** Disappears as a killed process would. */
  async vanish(): Promise<void> {
    this.#stream = null
    const closed = new Promise<void>((resolve) => this.#secure?.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    this.#grpc?.forceShutdown()
    await closed
  }

  /** Changes the desired state of a server and sends it if the agent is connected. */
  setDesired(change: Partial<DesiredServer> & { serverId: string }): DesiredServer {
    const before = this.desiredStates.get(change.serverId)
    const desired: DesiredServer = {
      generation: (before?.generation ?? 0) + 1,
      power: 1,
      run: 0,
      install: 0,
      ending: 1,
      removed: false,
      crashPolicy: undefined,
      containerSpec: '',
      placementGeneration: 1,
      ...(before ? omitGeneration(before) : {}),
      ...change,
    }
    this.desiredStates.set(desired.serverId, desired)
    this.send({ $case: 'desiredServer', value: desired })
    return desired
  }

  send(message: ToAgent): void {
    this.#stream?.write({ message })
  }

  /** Waits until the condition holds, checking it after every message received. */
  async until<T>(
    what: string,
    condition: () => T | undefined | false,
    timeoutMs = 20_000,
  ): Promise<T> {
    const now = condition()
    if (now) return now
    return await new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.off('heard', look)
        reject(
          new Error(
            `It never came: ${what}\n${JSON.stringify([...this.observed.values()], null, 1)}`,
          ),
        )
      }, timeoutMs)
      const look = () => {
        const result = condition()
        if (!result) return
        clearTimeout(timer)
        this.off('heard', look)
        resolve(result)
      }
      this.on('heard', look)
    })
  }

  state(serverId: string, state: string, generation = 0): Promise<ServerObserved> {
    return this.until(`${serverId} is ${state}`, () => {
      const seen = this.observed.get(serverId)
      return seen?.state === state && seen.settledGeneration >= generation ? seen : undefined
    })
  }

  settled({ serverId, generation }: DesiredServer): Promise<ServerObserved> {
    return this.until(`${serverId} has settled ${generation}`, () => {
      const seen = this.observed.get(serverId)
      return seen && seen.settledGeneration >= generation ? seen : undefined
    })
  }

  event(serverId: string, kind: string, nth = 1): Promise<ServerEvent> {
    return this.until(`${serverId}: ${kind}`, () =>
      this.events.filter((event) => event.serverId === serverId && event.kind === kind).at(nth - 1),
    )
  }

  #serve(stream: Stream): void {
    const authorized = stream.metadata.get('authorization')[0] === `Bearer ${CREDENTIAL}`
    if (!authorized || stream.metadata.get('x-node-id')[0] !== NODE_ID) {
      stream.emit('error', { code: status.UNAUTHENTICATED, details: 'unknown node' })
      return
    }
    stream.on('data', ({ message }: ConnectRequest) => {
      if (message) this.#heard(stream, message)
      this.emit('heard')
    })
    stream.on('error', () => undefined)
    stream.on('end', () => stream.end())
    stream.on('cancelled', () => {
      if (this.#stream === stream) this.#stream = null
    })
  }

  #heard(stream: Stream, message: Said): void {
    this.said.push(message)
    switch (message.$case) {
      case 'hello':
        this.hellos.push(message.value)
        this.#stream = stream
        this.#welcome(stream)
        return
      case 'inventory':
        this.inventories.push(message.value.servers)
        this.observed.clear()
        for (const server of message.value.servers) this.observed.set(server.serverId, server)
        return
      case 'serverObserved': {
        const { value } = message
        const before = this.observed.get(value.serverId)
        if (before && before.observation >= value.observation) throw new Error('went back in time')
        this.observed.set(value.serverId, value)
        return
      }
      case 'heartbeat': {
        const { sequence, leaseWanted } = message.value
        const ttlMs = leaseWanted && !this.fenced ? this.leaseTtlMs : null
        const leaseTtl =
          ttlMs === null
            ? undefined
            : { seconds: Math.floor(ttlMs / 1000), nanos: (ttlMs % 1000) * 1e6 }
        if (leaseTtl) this.grantedMs = bootMs()
        const value = { sequence, leaseTtl, nodeEpoch: this.nodeEpoch }
        stream.write({ message: { $case: 'heartbeatAck', value } })
        return
      }
      case 'fenceProof': {
        this.proofs.push(message.value)
        const { nodeEpoch, running } = message.value
        if (nodeEpoch !== this.nodeEpoch || running.length > 0) return
        this.fenced = false
        stream.write({ message: { $case: 'rejoined', value: { nodeEpoch } } })
        return
      }
      case 'report': {
        const { sequence, content } = message.value
        if (sequence <= this.through) return
        this.through = sequence
        this.applied.push(sequence)
        if (content?.$case === 'serverEvent') this.events.push(content.value)
        if (content?.$case === 'scheduleRun')
          this.runs.push(NodeRun.parse(JSON.parse(content.value.document)))
        if (!this.acknowledge) return
        stream.write({ message: { $case: 'reportAck', value: { through: sequence } } })
        return
      }
      default:
    }
  }

  #welcome(stream: Stream): void {
    stream.write({
      message: {
        $case: 'welcome',
        value: {
          protocolMinor: 1,
          sessionId: crypto.randomUUID(),
          heartbeatEvery: { seconds: this.heartbeatSeconds, nanos: 0 },
          sampleEvery: { seconds: this.sampleSeconds, nanos: 0 },
          reportThrough: this.through,
          leaseMode: 'pinned',
          nodeEpoch: this.nodeEpoch,
          fenced: this.fenced,
          portRanges: this.portRanges,
        },
      },
    })
    for (const value of this.desiredStates.values()) {
      stream.write({ message: { $case: 'desiredServer', value } })
    }
    stream.write({ message: { $case: 'desiredEnd', value: {} } })
  }

  async #enroll(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { token } = JSON.parse(Buffer.concat(parts).toString('utf8'))
    if (request.url !== '/api/agent/enroll' || token !== ONE_TIME_TOKEN) {
      response.writeHead(401).end(JSON.stringify({ detail: 'The token was used already' }))
      return
    }
    response.writeHead(200).end(JSON.stringify(this.identity))
  }

  #authorize(request: http.IncomingMessage, response: http.ServerResponse): void {
    const question = new URL(request.url ?? '', 'https://lodge')
    const { authorization } = request.headers
    if (authorization !== `Bearer ${CREDENTIAL}` || request.headers['x-node-id'] !== NODE_ID) {
      response.writeHead(401).end()
      return
    }
    this.bootQuestions.push(question)
    const change = this.bootAnswer(question)
    if (change === null) return void response.writeHead(503).end()
    const answer = {
      decision: 'allow',
      attempt: question.searchParams.get('attempt'),
      serverId: question.pathname.split('/')[4],
      generation: Number(question.searchParams.get('generation')),
      nodeEpoch: Number(question.searchParams.get('epoch')),
      validForMs: 5_000,
      lease: null,
      holds: [],
      reasons: [],
      ...change,
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    this.emit('heard')
  }

  #redeem(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = request.headers['x-relay-ticket']
    const take = typeof ticket === 'string' ? this.relays.get(ticket) : undefined
    if (!take || request.headers.authorization !== `Bearer ${CREDENTIAL}`) {
      socket.end('HTTP/1.1 404 Refused\r\nConnection: close\r\n\r\n')
      return
    }
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: lodge-relay\r\n\r\n',
    )
    take(socket, head)
  }
}

function omitGeneration(desired: DesiredServer): Omit<DesiredServer, 'generation'> {
  const { generation: _, ...rest } = desired
  return rest
}
