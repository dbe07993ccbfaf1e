import http from 'node:http'
import type { Duplex } from 'node:stream'
import { DriverError } from '@lodge/driver/driver.ts'
import type { DirectGuest, RelayOpen } from '@lodge/proto/fleet.ts'
import { type StorageAccess, storageAccessOf } from '@lodge/shared/backup-work.ts'
import type { Logger } from 'pino'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ServerConsole } from '../console/console.ts'
import type { Identity } from '../enrollment/identity.ts'
import { ConsoleSession } from './console-session.ts'
import { dial } from './dial.ts'
import { joinScreen } from './screen-session.ts'
import { SerialSession } from './serial-session.ts'

const PROTOCOLS: Readonly<Record<string, string>> = {
  console: 'lodge.console.v1',
  install_log: 'lodge.console.v1',
  serial: 'lodge.serial.v1',
  vnc: 'lodge.vnc.v1',
}
const MAX_MESSAGE = 64 * 1024
const MAX_SESSIONS = 500
const PING_MS = 30_000
const SCREEN_MS = 10_000

export interface RelayOptions {
  readonly identity: Identity
  readonly log: Logger
  readonly nowMs: () => number
  /** Undefined for a server that is not on this node. */
  readonly console: (serverId: string, kind: 'console' | 'install_log') => ServerConsole | undefined
  readonly write: (serverId: string, bytes: Uint8Array) => Promise<void>
  /** Sends one line to a program and echoes it to every reader, with who sent it. */
  readonly command: (serverId: string, line: string, person: string) => Promise<void>
  /** Opens a connection to the screen of a machine. Throws `DriverError`. */
  readonly screen: (serverId: string, signal: AbortSignal) => Promise<Duplex>
  /** Expects the other node at this node's own port, too. */
  readonly expect: (guest: DirectGuest, accept: (socket: Duplex) => void) => void
  /** Serves the files of a machine to another node over this connection. */
  readonly copy: (serverId: string, socket: Duplex) => void
  /** Splices the connection to the file service of a server. */
  readonly files: (serverId: string, socket: Duplex) => void
  /** Serves archives of backups over this connection. */
  readonly backup: (socket: Duplex) => void
  /** Serves a repository that this node keeps for another. */
  readonly storage: (repositoryId: string, access: StorageAccess, socket: Duplex) => void
  /** The state sent to a reader on connecting. */
  readonly state: (serverId: string) => object
}

interface Open {
  readonly serverId: string
  readonly socket: WebSocket
  /**
   * Null for screens and serial lines: only console readers receive messages besides the output.
   */
  readonly session: ConsoleSession | null
}

/**
 * Opens a separate connection for every reader that the control plane announces, and serves it.
 * Console traffic thus never delays the fleet stream.
 */
export class Relay {
  readonly #options: RelayOptions
  readonly #open = new Set<Open>()
  readonly #server = http.createServer({ maxHeaderSize: 16_384 })
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
    handleProtocols: (offered, request) => {
      const wanted = PROTOCOLS[this.#asked.get(request.socket)?.kind ?? ''] ?? ''
      return offered.has(wanted) ? wanted : false
    },
  })
  readonly #asked = new WeakMap<Duplex, RelayOpen>()
  #dialling = 0

  constructor(options: RelayOptions) {
    this.#options = options
    this.#server.on('request', (_request, response) => {
      response.writeHead(426, { connection: 'close' }).end()
    })
    this.#server.on('upgrade', (request, socket, head) => {
      const relay = this.#asked.get(socket)
      if (!relay) return socket.destroy()
      this.#sockets.handleUpgrade(request, socket, head, (reader) => this.#serve(relay, reader))
    })
    this.#server.on('clientError', (_error, socket) => socket.destroy())
  }

  get readers(): number {
    return this.#open.size
  }

  /** Opens the relay that the control plane requests. Never throws. */
  async open(relay: RelayOpen): Promise<void> {
    const { identity, log } = this.#options
    const { sessionId, serverId } = relay
    // Dials in progress count, because each becomes a session.
    if (this.#open.size + this.#dialling >= MAX_SESSIONS) {
      log.warn({ sessionId, serverId }, 'too many relays are open')
      return
    }
    this.#dialling += 1
    try {
      const serve = this.#forNodes(relay)
      if (serve && relay.direct) this.#options.expect(relay.direct, serve)
      const socket = await dial(identity, relay)
      if (serve) return serve(socket)
      if (relay.kind === 'backup') return this.#options.backup(socket)
      if (relay.kind === 'files') return this.#options.files(serverId, socket)
      // The reader's upgrade request arrives on this socket; its handler looks the relay up here.
      this.#asked.set(socket, relay)
      this.#server.emit('connection', socket)
      socket.resume()
    } catch (error) {
      log.warn({ err: error, sessionId, serverId }, 'could not open a relay')
    } finally {
      this.#dialling -= 1
    }
  }

  /** What serves another node, which may come directly or through the control plane. */
  #forNodes({ kind, serverId }: RelayOpen): ((socket: Duplex) => void) | undefined {
    const access = storageAccessOf(kind)
    if (access) return (socket) => this.#options.storage(serverId, access, socket)
    return kind === 'copy' ? (socket) => this.#options.copy(serverId, socket) : undefined
  }

  /** Sends a message to every console reader of a server. */
  tell(
    serverId: string,
    message: { readonly type: string; readonly [field: string]: unknown },
  ): void {
    for (const open of this.#open) if (open.serverId === serverId) open.session?.tell(message)
  }

  close(): void {
    for (const { socket } of this.#open) socket.close(1001, 'The node restarts its agent')
    this.#sockets.close()
    this.#server.close()
  }

  #serve(relay: RelayOpen, socket: WebSocket): void {
    const { serverId, kind } = relay
    const output = this.#options.console(serverId, kind === 'install_log' ? kind : 'console')
    if (!output || PROTOCOLS[kind] === undefined) {
      socket.close(1008, 'The node does not know this server')
      return
    }
    const session =
      kind === 'vnc' || kind === 'serial' ? null : this.#session(relay, socket, output)
    const open = { serverId, socket, session }
    this.#open.add(open)
    keepAlive(socket)
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#open.delete(open))
    const shown =
      kind === 'vnc'
        ? this.#showScreen(relay, socket)
        : kind === 'serial'
          ? this.#showSerial(relay, socket, output)
          : session?.start()
    shown?.catch((error: unknown) => {
      this.#options.log.warn({ err: error, serverId, kind }, 'could not serve a console')
      const known = error instanceof DriverError
      socket.close(1011, known ? error.message.slice(0, 120) : 'The output could not be read')
    })
  }

  #session(relay: RelayOpen, socket: WebSocket, output: ServerConsole): ConsoleSession {
    const { serverId, kind, mayWrite, person } = relay
    const session = new ConsoleSession({
      console: output,
      socket: {
        waitingBytes: () => socket.bufferedAmount,
        sendBytes: (bytes) => socket.send(bytes, { binary: true }),
        sendText: (text) => socket.send(text),
      },
      mayWrite: mayWrite && kind === 'console',
      nowMs: this.#options.nowMs,
      command: (line) => this.#command(serverId, line, person),
    })
    socket.on('message', (data, isBinary) => {
      if (!isBinary) session.heard(String(data))
    })
    socket.on('close', () => session.close())
    session.tell({ type: 'state', ...this.#options.state(serverId) })
    return session
  }

  async #showScreen({ serverId, mayWrite }: RelayOpen, socket: WebSocket): Promise<void> {
    const screen = await this.#options.screen(serverId, AbortSignal.timeout(SCREEN_MS))
    joinScreen(socket, screen, mayWrite)
  }

  async #showSerial(relay: RelayOpen, socket: WebSocket, output: ServerConsole): Promise<void> {
    const { serverId, mayWrite } = relay
    const { nowMs } = this.#options
    const write = (bytes: Uint8Array) => this.#options.write(serverId, bytes)
    const session = new SerialSession({ console: output, socket, mayWrite, write, nowMs })
    socket.on('close', () => session.close())
    await session.start()
  }

  async #command(serverId: string, line: string, person: string): Promise<void> {
    try {
      await this.#options.command(serverId, line, person)
    } catch (error) {
      throw error instanceof DriverError ? error : new Error('The command was not delivered')
    }
  }
}

/** Terminates a connection whose peer no longer answers pings. */
function keepAlive(socket: WebSocket): void {
  let answered = true
  const ping = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, PING_MS)
  socket.on('pong', () => {
    answered = true
  })
  socket.on('close', () => clearInterval(ping))
}
