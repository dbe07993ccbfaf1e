import { createHash } from 'node:crypto'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../../problem.ts'

/** Limit of a node's response head; our agent's has about 200 bytes. */
const MAX_HEAD_BYTES = 8_192
/** RFC 6455, 1.3. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

export interface Handshake {
  /** The browser's request. */
  readonly request: Pick<IncomingMessage, 'headers'>
  /** Path on the node. */
  readonly path: string
  /** The only subprotocol the node may accept. */
  readonly protocol: string | undefined
}

/** The `Sec-WebSocket-Accept` value for the browser's key. */
const acceptKey = ({ headers }: Handshake['request']): string =>
  createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}${ACCEPT_SUFFIX}`)
    .digest('base64')

/**
 * Opens a WebSocket with a node on the browser's behalf. The node learns nothing that identifies
 * the person, and its response ends here: no byte of it is ever parsed as HTTP by a browser or a
 * proxy.
 * @param socket destroyed if this rejects
 * @param ended aborted when the caller stops waiting
 * @returns the first bytes after the node's response head
 * @throws {Problem} node_protocol_error; the reason of `ended`
 */
export async function shakeHands(
  socket: Duplex,
  given: Handshake,
  ended: AbortSignal,
): Promise<Buffer> {
  const refused = (why: string) =>
    new Problem(
      'node_protocol_error',
      `The node did not open the console (${why}): try again, and update its agent if that does not help`,
    )
  const answer = Promise.withResolvers<Buffer>()
  const call = http.request({
    createConnection: () => socket,
    path: given.path,
    setHost: false,
    headers: requestHeaders(given),
    maxHeaderSize: MAX_HEAD_BYTES,
    signal: ended,
  })
  call.once('upgrade', ({ headers }, _socket, rest) => {
    const fault = faultOf(headers, given)
    if (fault === undefined) answer.resolve(rest)
    else answer.reject(refused(fault))
  })
  call.once('response', ({ statusCode }) =>
    answer.reject(refused(`it answered ${statusCode} in place of 101`)),
  )
  call.once('error', (error: NodeJS.ErrnoException) =>
    answer.reject(ended.aborted ? ended.reason : refused(error.code ?? 'the connection broke')),
  )
  call.end()
  try {
    return await answer.promise
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function requestHeaders({ request, protocol }: Handshake): http.OutgoingHttpHeaders {
  const { headers } = request
  return {
    Host: 'lodge',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': headers['sec-websocket-key'] ?? '',
    'Sec-WebSocket-Version': headers['sec-websocket-version'] ?? '13',
    'User-Agent': headers['user-agent'] ?? 'unknown',
    ...(protocol === undefined ? {} : { 'Sec-WebSocket-Protocol': protocol }),
  }
}

function faultOf(headers: IncomingHttpHeaders, given: Handshake): string | undefined {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return 'another protocol than WebSocket'
  if (headers['sec-websocket-accept'] !== acceptKey(given.request)) return 'a wrong accept key'
  if (headers['sec-websocket-protocol'] !== given.protocol) return 'another subprotocol'
  // We offered none, and a browser would close the connection over it.
  if (headers['sec-websocket-extensions'] !== undefined) return 'an extension nobody offered'
  return undefined
}

/** The control plane's own response to the browser; nothing in it comes from the node. */
export function switchingProtocols({ request, protocol }: Omit<Handshake, 'path'>): string {
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Accept: ${acceptKey(request)}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}
