import http from 'node:http'
import type { Duplex } from 'node:stream'
import { collectAfter } from '@lodge/shared/local/collector.ts'
import { Problem } from '../../problem.ts'
import type { OpenConduit } from './conduit.ts'
import type { Transfer, Transfers } from './transfers.ts'

const ANSWER_MS = 20_000
const MAX_HEAD_BYTES = 8_192

/** A connection to a service of a node that goes on in a protocol of its own. */
export interface NodeStream extends Omit<Transfer, 'long'> {
  /** Kind of the relay, which names the service. */
  readonly service: string
  readonly path: string
  readonly protocol: string
  readonly headers: Readonly<Record<string, string>>
  /** Aborted when the caller leaves. */
  readonly gone: AbortSignal
}

/**
 * The stream is destroyed when a permission is withdrawn.
 * @throws {Problem} node_unavailable, node_timeout, unsupported_on_node, too_many_transfers
 */
export type OpenStream = (asked: NodeStream) => Promise<Duplex>

export const createNodeStreams =
  (open: OpenConduit, transfers: Transfers): OpenStream =>
  async (asked) => {
    const place = await transfers.enter({ ...asked, long: true }, asked.gone)
    try {
      const { nodeId, serverId, service, writes } = asked
      const socket = await open({ nodeId, serverId, kind: service, mayWrite: writes })
      socket.on('error', () => socket.destroy())
      socket.once('close', place.leave)
      place.signal.addEventListener('abort', () => socket.destroy(), { once: true })
      if (place.signal.aborted) socket.destroy()
      await upgrade(socket, asked)
      collectAfter(socket)
      return socket
    } catch (error) {
      place.leave()
      throw error
    }
  }

/** Destroys the socket if it fails. */
async function upgrade(socket: Duplex, { path, protocol, headers }: NodeStream): Promise<void> {
  const answer = Promise.withResolvers<Buffer>()
  const request = http.request({
    createConnection: () => socket,
    path,
    setHost: false,
    headers: { host: 'lodge', connection: 'Upgrade', upgrade: protocol, ...headers },
    maxHeaderSize: MAX_HEAD_BYTES,
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  request.once('upgrade', (_response, _socket, head) => answer.resolve(head))
  // An agent of before this answers with a page, or as a console.
  request.once('response', () =>
    answer.reject(
      new Problem('unsupported_on_node', 'The agent of this node is too old for this: update it'),
    ),
  )
  request.once('error', () =>
    answer.reject(new Problem('node_unavailable', 'The node broke the connection off')),
  )
  request.end()
  try {
    const head = await answer.promise
    if (head.length > 0) socket.unshift(head)
  } catch (error) {
    socket.destroy()
    throw error
  }
}
