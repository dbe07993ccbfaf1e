import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** What a node may say before its bytes are passed on; ours says some 200. */
const MAX_HEAD_BYTES = 8_192
const HEAD_END = '\r\n\r\n'
/** RFC 6455, 1.3. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** What a node agreed to, as far as a browser has to be told. */
export interface Handshake {
  /** Of those that the browser offered. */
  readonly extensions: string | undefined
  /** Bytes of the WebSocket that came with the head. */
  readonly rest: Buffer
}

/** The node's answer was not a WebSocket handshake that we may pass on. */
export class BadHandshake extends Error {}

/**
 * Reads the head of a node's answer to the replayed request and judges it. The node is not believed:
 * what it says is never given to a browser or a proxy as HTTP.
 * @param early bytes that were read already
 * @throws {BadHandshake} another status than 101, a wrong accept key, too long, too late, or ended
 */
export async function readHandshake(
  socket: Duplex,
  early: Buffer,
  given: { request: IncomingMessage; protocol: string | undefined; timeoutMs: number },
): Promise<Handshake> {
  const { head, rest } = await readHead(socket, early, given.timeoutMs)
  const [statusLine = '', ...lines] = head.split('\r\n')
  if (!/^HTTP\/1\.1 101( |$)/.test(statusLine)) throw new BadHandshake('the answer is not a 101')
  const fields = fieldsOf(lines)
  const key = given.request.headers['sec-websocket-key'] ?? ''
  const accept = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64')
  if (fields.get('sec-websocket-accept') !== accept) throw new BadHandshake('a wrong accept key')
  if (fields.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new BadHandshake('an upgrade to something else')
  if (fields.get('sec-websocket-protocol') !== given.protocol)
    throw new BadHandshake('another subprotocol than was asked for')
  const offered = given.request.headers['sec-websocket-extensions']
  return { extensions: agreed(fields.get('sec-websocket-extensions'), offered), rest }
}

/** Our own answer to the browser: fixed fields, and of what the node said only judged values. */
export function switchingProtocols(
  request: IncomingMessage,
  protocol: string | undefined,
  { extensions }: Pick<Handshake, 'extensions'>,
): string {
  const key = request.headers['sec-websocket-key'] ?? ''
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64')}`,
  ]
  if (protocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocol}`)
  if (extensions !== undefined) lines.push(`Sec-WebSocket-Extensions: ${extensions}`)
  return `${lines.join('\r\n')}${HEAD_END}`
}
