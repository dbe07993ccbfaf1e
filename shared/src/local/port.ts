import net from 'node:net'

const SWEEP_MS = 1_000
const BACKLOG = 4_096

export interface AdmissionOptions {
  /** Open connections in total. */
  readonly connections: number
  /** Open connections of one address. */
  readonly perAddress: number
  /** A connection that sends nothing for this long is closed. */
  readonly silentMs: number
  /**
   * Key by which an address is counted; undefined for addresses that are not counted, e.g. a
   * trusted proxy.
   */
  readonly keyOf: (address: string) => string | undefined
  /** Passes sockets on unread. */
  readonly paused: boolean
}

interface Visitor {
  readonly socket: net.Socket
  readonly key: string | undefined
  readonly since: number
}

/**
 * Sockets that have not sent anything yet, oldest first. They are closed first when room is needed,
 * so a flood of silent connections only displaces itself.
 */
class Silent {
  readonly #all = new Set<Visitor>()

  add(visitor: Visitor): void {
    this.#all.add(visitor)
  }

  remove(visitor: Visitor): void {
    this.#all.delete(visitor)
  }

  /** Closes the socket that has been silent longest, if it was accepted before `before`. */
  endOldest(before = Number.POSITIVE_INFINITY): boolean {
    for (const visitor of this.#all) {
      if (visitor.since >= before) return false
      this.#all.delete(visitor)
      if (visitor.socket.bytesRead > 0) continue
      visitor.socket.destroy()
      return true
    }
    return false
  }
}

export interface Admission {
  readonly port: number
  /** Open connections. */
  open(): number
  /** Resets the connection from this address ("ip:port") at once, discarding unsent bytes. */
  cut(peer: string): void
  stop(): Promise<void>
}

/**
 * Listens and admits a limited number of connections, in total and per address. If there is no
 * room, a silent connection makes room for the new one; otherwise the new one is closed.
 * @param admit receives admitted connections
 */
export async function openPort(
  at: { readonly host: string; readonly port: number },
  options: AdmissionOptions,
  admit: (socket: net.Socket) => void,
  log: { error(fields: object, message: string): void },
): Promise<Admission> {
  const visitors = new Map<string, Visitor>()
  const perKey = new Map<string, { count: number; readonly silent: Silent }>()
  const silent = new Silent()

  const server = net.createServer({
    pauseOnConnect: options.paused,
    noDelay: true,
    // HTTP must still answer a client that has closed its sending side.
    allowHalfOpen: !options.paused,
  })
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    // It has already disconnected.
    if (address === undefined) return void socket.destroy()
    // Without a listener, a connection reset would crash the process.
    socket.on('error', () => socket.destroy())
    const key = options.keyOf(address)
    const own =
      key === undefined ? undefined : (perKey.get(key) ?? { count: 0, silent: new Silent() })
    if (own && own.count >= options.perAddress && !own.silent.endOldest())
      return void socket.destroy()
    if (visitors.size >= options.connections && !silent.endOldest()) return void socket.destroy()
    enter({ socket, key, since: performance.now() }, `${address}:${socket.remotePort}`, own)
    admit(socket)
  })

  function enter(
    visitor: Visitor,
    peer: string,
    own: { count: number; readonly silent: Silent } | undefined,
  ): void {
    visitors.set(peer, visitor)
    silent.add(visitor)
    if (own && visitor.key !== undefined) {
      perKey.set(visitor.key, own)
      own.count += 1
      own.silent.add(visitor)
    }
    visitor.socket.once('close', () => {
      visitors.delete(peer)
      silent.remove(visitor)
      if (!own || visitor.key === undefined) return
      own.silent.remove(visitor)
      own.count -= 1
      if (own.count === 0) perKey.delete(visitor.key)
    })
  }

  const sweep = setInterval(() => {
    const before = performance.now() - options.silentMs
    while (silent.endOldest(before));
  }, SWEEP_MS)
  sweep.unref()

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...at, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // Out of descriptors, for example; later connections may succeed.
  server.on('error', (error) =>
    log.error({ err: error, port: at.port }, 'could not accept a connection'),
  )

  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the port has no number')
  return {
    port: address.port,
    open: () => visitors.size,
    cut: (peer) => visitors.get(peer)?.socket.destroy(),
    async stop() {
      clearInterval(sweep)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const { socket } of visitors.values()) socket.destroy()
      await closed
    },
  }
}
