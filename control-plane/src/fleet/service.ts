import { Server as GrpcServer, type Metadata, status } from '@grpc/grpc-js'
import { type ConnectRequest, FleetServiceService, type Hello } from '@lodge/proto/fleet.ts'
import type { Logger } from 'pino'
import type { FleetHandlers } from './handlers.ts'
import { limited } from './limited.ts'
import type { FleetOptions } from './options.ts'
import { AgentSession, type AgentStream } from './session/session.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const BEARER = /^Bearer ([\x21-\x7e]{16,512})$/
const INSPECT_MS = 1_000

export interface FleetService {
  readonly grpc: GrpcServer
  find(nodeId: string): AgentSession | undefined
  sessions(): Iterable<AgentSession>
  readonly counts: { opened: number; refused: number; fenced: number; messages: number }
  readonly openedByNode: ReadonlyMap<string, number>
  /** Ends every session and admits no more. */
  stop(): Promise<void>
}

/** The identity a call or request claims; undefined if it is not even well-formed. */
export function readIdentity(
  authorization: unknown,
  node: unknown,
): { nodeId: string; credential: string } | undefined {
  const credential = typeof authorization === 'string' && BEARER.exec(authorization)?.[1]
  const nodeId = typeof node === 'string' && UUID.exec(node)?.[0]
  return credential && nodeId ? { nodeId, credential } : undefined
}

/** The fleet's gRPC service: admits agents and keeps exactly one session per node. */
export function createService(given: {
  instanceId: string
  handlers: FleetHandlers
  options: FleetOptions
  log: Logger
  cut: (peer: string) => void
  opened: (nodeId: string, sessionId: string) => void
}): FleetService {
  const { handlers, options, log } = given
  const sessions = new Map<string, AgentSession>()
  const turns = new Map<string, Promise<void>>()
  const counts = { opened: 0, refused: 0, fenced: 0, messages: 0 }
  const openedByNode = new Map<string, number>()
  const lookup = limited(options.concurrentLookups)
  let stopping = false

  const refuse = (stream: AgentStream, code: number, details: string) => {
    counts.refused += 1
    stream.emit('error', { code, details })
  }

  async function connect(stream: AgentStream): Promise<void> {
    const identity = identify(stream.metadata)
    if (!identity) return refuse(stream, status.UNAUTHENTICATED, 'no credential of a node')
    const { nodeId, credential } = identity
    const epoch = await lookup(() => handlers.authenticate(nodeId, credential))
    if (epoch === undefined) {
      // Close the connection too: a retry then costs another handshake, and those are limited.
      const peer = stream.getPeer()
      setTimeout(() => given.cut(peer), 1_000).unref()
      return refuse(stream, status.UNAUTHENTICATED, 'the credential of the node is not valid')
    }
    const hello = await readHello(stream, options.helloTimeoutMs)
    if (!hello) return refuse(stream, status.FAILED_PRECONDITION, 'Hello was not said first')
    const session = await inTurn(nodeId, () => open(stream, nodeId, epoch, hello))
    // The credential may have changed before this session existed to be ended, so check again.
    if (session && (await lookup(() => handlers.authenticate(nodeId, credential))) !== epoch) {
      await session.end(status.UNAUTHENTICATED, 'the credential of the node is not valid')
    }
  }

  async function open(stream: AgentStream, nodeId: string, epoch: number, hello: Hello) {
    const older = sessions.get(nodeId)
    // End the older session first, so that the domains never see two at once.
    if (older) {
      counts.fenced += 1
      await older.end(status.ABORTED, 'a newer session has taken over')
    }
    if (stopping) {
      refuse(stream, status.UNAVAILABLE, 'the control plane is stopping')
      return undefined
    }
    const id = crypto.randomUUID()
    const address = stream.getPeer().replace(/:\d+$/, '')
    const owner = { id, instanceId: given.instanceId, address }
    const welcome = await handlers.connected(nodeId, hello, owner)
    const session = new AgentSession(
      stream,
      { nodeId, id, epoch, reportThrough: welcome.reportThrough },
      { handlers, options, log, cut: given.cut },
    )
    sessions.set(nodeId, session)
    counts.opened += 1
    openedByNode.set(nodeId, (openedByNode.get(nodeId) ?? 0) + 1)
    session.start(welcome, async () => {
      counts.messages += session.messages
      if (sessions.get(nodeId) === session) sessions.delete(nodeId)
      await handlers.disconnected(nodeId, id).catch((error: unknown) => {
        log.warn({ err: error, nodeId }, 'could not record a disconnection')
      })
    })
    given.opened(nodeId, id)
    // The agent may have disconnected during admission, before anything listened for it.
    if (stream.cancelled || stream.destroyed) {
      await session.end(status.CANCELLED, 'the connection is gone')
    }
    return session
  }

  /** Serialises opening and ending the sessions of one node. */
  async function inTurn<T>(nodeId: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(nodeId) ?? Promise.resolve()
    const mine = before.then(work)
    const settled = mine.then(
      () => undefined,
      () => undefined,
    )
    turns.set(nodeId, settled)
    try {
      return await mine
    } finally {
      if (turns.get(nodeId) === settled) turns.delete(nodeId)
    }
  }

  const grpc = new GrpcServer({
    'grpc.enable_channelz': 0,
    'grpc.max_receive_message_length': options.maxMessageBytes,
    'grpc.max_concurrent_streams': 4,
    'grpc.max_connection_idle_ms': options.idleConnectionMs,
  })
  grpc.addService(FleetServiceService, {
    connect(stream: AgentStream) {
      connect(stream).catch((error: unknown) => {
        log.warn({ err: error }, 'could not admit a node')
        refuse(stream, status.UNAVAILABLE, 'try again later')
      })
    },
  })

  const inspection = setInterval(() => {
    const nowMs = performance.now()
    for (const session of sessions.values()) session.inspect(nowMs)
  }, INSPECT_MS)
  inspection.unref()

  return {
    grpc,
    find: (nodeId) => sessions.get(nodeId),
    sessions: () => sessions.values(),
    counts,
    openedByNode,
    async stop() {
      stopping = true
      clearInterval(inspection)
      const ends = [...sessions.values()].map((session) =>
        session.end(status.UNAVAILABLE, 'the control plane is stopping'),
      )
      await Promise.all(ends)
    },
  }
}

function identify(metadata: Metadata) {
  return readIdentity(metadata.get('authorization')[0], metadata.get('x-node-id')[0])
}

/** The first message, if it is a Hello and arrives in time. The stream is paused after it. */
function readHello(stream: AgentStream, timeoutMs: number): Promise<Hello | undefined> {
  return new Promise((resolve) => {
    const done = (hello: Hello | undefined) => {
      clearTimeout(timer)
      stream.pause()
      stream.off('data', first)
      stream.off('cancelled', gone)
      stream.off('end', gone)
      resolve(hello)
    }
    const first = ({ message }: ConnectRequest) =>
      done(message?.$case === 'hello' ? message.value : undefined)
    const gone = () => done(undefined)
    const timer = setTimeout(gone, timeoutMs)
    stream.on('data', first)
    stream.on('cancelled', gone)
    stream.on('end', gone)
  })
}
