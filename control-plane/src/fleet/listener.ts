import http from 'node:http'
import type net from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { type Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js'
import { networkOf } from '@lodge/shared/addresses.ts'
import { openPort } from '@lodge/shared/local/port.ts'
import type { Logger } from 'pino'
import type { Authority, Leaf } from './authority.ts'
import type { FleetOptions } from './options.ts'

const LEAF_DAYS = 90
const RENEW_CHECK_MS = 3_600_000

export interface HttpEntry {
  readonly onRequest: (request: http.IncomingMessage, response: http.ServerResponse) => void
  readonly onUpgrade: (request: http.IncomingMessage, socket: Duplex, head: Buffer) => void
}

export interface Listener {
  readonly port: number
  /** Public key pin of the current certificate, in curl's format. */
  publicKeyPin(): string
  /** Open connections, including handshakes in progress or waiting. */
  connections(): number
  /** Resets the connection from this address ("ip:port") at once, discarding unsent bytes. */
  cut(peer: string): void
  /** Issues a new certificate for future connections. */
  renew(now: Date): Promise<void>
  stop(): Promise<void>
}

/**
 * The single port of the fleet. After the TLS handshake, ALPN decides: `h2` is an agent's stream
 * (gRPC); `http/1.1` is an enrolment, a download or the agent's end of a relay.
 *
 * Handshakes are the expensive part when many agents reconnect at once, so only some run at a time,
 * and the others wait unread.
 */
export async function openListener(
  entry: HttpEntry & {
    host: string
    port: number
    authority: Authority
    options: FleetOptions
    log: Logger
    grpc: GrpcServer
  },
): Promise<Listener> {
  const { authority, options, log } = entry
  const injector = entry.grpc.createConnectionInjector(ServerCredentials.createInsecure())
  const plain = openHttp(entry, options)

  const secure = tls.createServer({
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: options.handshakeTimeoutMs,
  })
  let renewAt = new Date(0)
  let publicKeyPin = ''
  const use = (leaf: Leaf) => {
    secure.setSecureContext({ cert: leaf.cert, key: leaf.key, minVersion: 'TLSv1.2' })
    renewAt = leaf.renewAt
    publicKeyPin = leaf.publicKeyPin
  }
  const renew = async (now: Date) => use(await authority.issue(now, LEAF_DAYS))
  use(await authority.leaf(new Date(), LEAF_DAYS))

  const semaphore = handshakeSemaphore(options.concurrentHandshakes, (socket) =>
    secure.emit('connection', socket),
  )
  secure.on('secureConnection', (socket) => {
    semaphore.finished()
    socket.setNoDelay(true)
    // Without a listener, a connection reset would crash the process.
    socket.on('error', (error) => log.debug({ err: error }, 'fleet connection broke'))
    if (socket.alpnProtocol === 'h2') injector.injectConnection(socket)
    else plain.emit('connection', socket)
  })
  secure.on('tlsClientError', (error, socket) => {
    semaphore.finished()
    log.debug({ err: error }, 'fleet handshake failed')
    socket.destroy()
  })

  const listener = await openPort(
    { host: entry.host, port: entry.port },
    {
      connections: options.connections,
      perAddress: options.connectionsPerAddress,
      silentMs: options.silentMs,
      keyOf: networkOf,
      paused: true,
    },
    (socket) => {
      // A client that has not sent anything must not take a handshake slot.
      socket.once('readable', () => {
        if (semaphore.waiting() < options.waitingHandshakes) semaphore.admit(socket)
        else socket.destroy()
      })
    },
    log,
  )

  const renewal = setInterval(() => {
    const now = new Date()
    if (now < renewAt) return
    renew(now).catch((error) => log.error({ err: error }, 'could not renew the fleet certificate'))
  }, RENEW_CHECK_MS)
  renewal.unref()

  return {
    publicKeyPin: () => publicKeyPin,
    port: listener.port,
    connections: () => listener.open(),
    cut: (peer) => listener.cut(peer),
    renew,
    async stop() {
      clearInterval(renewal)
      const closed = listener.stop()
      plain.close()
      entry.grpc.forceShutdown()
      await closed
    },
  }
}

/** HTTP/1.1 over connections handed in; slow senders are cut off. */
function openHttp(entry: HttpEntry, options: FleetOptions): http.Server {
  const server = http.createServer({
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: Math.min(2_000, options.headersTimeoutMs),
    maxHeaderSize: 16_384,
  })
  server.on('request', entry.onRequest)
  server.on('upgrade', entry.onUpgrade)
  server.on('clientError', (_error, socket) => socket.destroy())
  // Node enforces the timeouts above only after `listening`, and this server never listens itself.
  server.emit('listening')
  return server
}

/** Runs a limited number of handshakes and queues the others in order. */
function handshakeSemaphore(places: number, start: (socket: net.Socket) => void) {
  const waiting = new Set<net.Socket>()
  let running = 0
  const next = () => {
    for (const socket of waiting) {
      if (running >= places) return
      waiting.delete(socket)
      running += 1
      start(socket)
    }
  }
  return {
    waiting: () => waiting.size,
    admit(socket: net.Socket) {
      waiting.add(socket)
      socket.once('close', () => waiting.delete(socket))
      next()
    },
    finished() {
      running -= 1
      next()
    },
  }
}
