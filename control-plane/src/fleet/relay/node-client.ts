import http from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { arriveTogether } from '@lodge/shared/local/arrive-together.ts'
import { collectAfter } from '@lodge/shared/local/collector.ts'
import { Problem } from '../../problem.ts'
import type { FleetOptions } from '../options.ts'
import type { OpenConduit } from './conduit.ts'
import type { Transfer, Transfers } from './transfers.ts'

/** Limit of a node's response head; that of a file has about 300 bytes. */
const MAX_HEAD_BYTES = 8_192
const IDLE_MS = 30_000
/** A transfer of which no byte moves for this long is given up. */
const STALLED_MS = 120_000

/** A request to a service of a node, over HTTP/1.1 on a connection that its agent opens. */
export interface NodeCall extends Transfer {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable | Buffer
  /** For requests that answer at once: how long they may take. */
  readonly timeoutMs?: number
  /** Aborted when the caller leaves. */
  readonly gone: AbortSignal
}

/** What a node answered. Its head is for reading only, and never sent on. */
export interface NodeAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** To be read to its end or destroyed; fails if the transfer is cut. */
  readonly body: Readable
}

/** @throws {Problem} node_unavailable, node_timeout, node_protocol_error, too_many_transfers */
export type CallNode = (call: NodeCall) => Promise<NodeAnswer>

type Destination = http.ClientRequestArgs & { readonly end: Parameters<OpenConduit>[0] }

/** Keeps some connections per server, and opens them as they are needed. */
class ConduitAgent extends http.Agent {
  readonly #open: OpenConduit

  constructor(open: OpenConduit, maxSockets: number) {
    super({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout: IDLE_MS })
    this.#open = open
  }

  override createConnection(
    options: http.ClientRequestArgs,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.#open((options as Destination).end).then(
      (socket) => {
        arriveTogether(socket)
        done?.(null, socket)
      },
      (error: Error) => done?.(error, undefined as never),
    )
  }
}

export function createNodeClient(
  open: OpenConduit,
  transfers: Transfers,
  { connectionsPerServer }: Pick<FleetOptions, 'connectionsPerServer'>,
): {
  call: CallNode
  /** Closes the unused connections to a node, whose credential may have changed. */
  forget(nodeId: string): void
  stop(): void
} {
  const agent = new ConduitAgent(open, connectionsPerServer)

  function send(call: NodeCall, signal: AbortSignal): Promise<http.IncomingMessage> {
    const { nodeId, serverId, kind, writes, method, path, body } = call
    const target: Destination = {
      agent,
      end: { nodeId, serverId, kind, mayWrite: writes },
      // Names the server in the pool; nothing is looked up.
      host: `${nodeId}.${serverId}.${kind}`,
      setHost: false,
      method,
      path,
      headers: { host: 'lodge', ...call.headers },
      maxHeaderSize: MAX_HEAD_BYTES,
      signal,
    }
    const request = http.request(target)
    const answer = Promise.withResolvers<http.IncomingMessage>()
    const timer =
      call.timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => request.destroy(new Problem('node_timeout', 'The node did not answer in time')),
            call.timeoutMs,
          )
    request.setTimeout(STALLED_MS, () =>
      request.destroy(new Problem('node_timeout', 'The transfer stood still for too long')),
    )
    request.once('response', (response) => {
      collectAfter(response)
      // What refuses a body early must not be sent the rest of it.
      response.once('end', () => request.writableFinished || request.destroy())
      answer.resolve(response)
    })
    request.once('upgrade', (_response, socket) => socket.destroy())
    request.on('error', (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && error.code === 'ECONNRESET'
      answer.reject(signal.aborted ? signal.reason : stale ? new Stale() : problemOf(error))
    })
    request.once('close', () => {
      clearTimeout(timer)
      answer.reject(hungUp())
    })
    if (body === undefined || Buffer.isBuffer(body)) request.end(body)
    else {
      collectAfter(body)
      pipeline(body, request, (error) => {
        // The sender's failure is the reason, not the connection that it leads to.
        if (error instanceof Problem) answer.reject(error)
      })
    }
    return answer.promise
  }

  async function call(asked: NodeCall): Promise<NodeAnswer> {
    const place = await transfers.enter(asked, asked.gone)
    try {
      const response = await send(asked, place.signal).catch((error: unknown) => {
        if (!(error instanceof Stale)) throw error
        if (asked.method !== 'GET') throw hungUp()
        return send(asked, place.signal)
      })
      response.once('close', place.leave)
      // Without a listener, a cut transfer would crash the process; a reader still sees the error.
      response.on('error', () => undefined)
      if (response.destroyed) place.leave()
      const { statusCode = 0, headers } = response
      return { status: statusCode, headers, body: response }
    } catch (error) {
      place.leave()
      throw error instanceof Stale ? hungUp() : error
    }
  }

  return {
    call,
    forget(nodeId) {
      for (const [name, sockets = []] of Object.entries(agent.freeSockets))
        if (name.startsWith(`${nodeId}.`)) for (const socket of [...sockets]) socket.destroy()
    },
    stop: () => agent.destroy(),
  }
}

/** The node had closed an idle connection before the request reached it. */
class Stale extends Error {}

const hungUp = () =>
  new Problem('node_unavailable', 'The node broke the connection off: try again in a moment', {
    retryAfterSeconds: 5,
  })

function problemOf(error: NodeJS.ErrnoException): Problem {
  if (error instanceof Problem) return error
  // A parse error of Node's: what arrived is not HTTP, or too large a head.
  if (error.code?.startsWith('HPE_'))
    return new Problem(
      'node_protocol_error',
      'The node did not answer as it should: update its agent if that does not end',
    )
  return hungUp()
}
