import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'

const LINGER_MS = 5_000

/** What of a browser's request a node may see: nothing that identifies the person. */
const PASSED = new Set([
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'user-agent',
])

/**
 * The upgrade request as the node gets to see it: the WebSocket handshake without cookies, tickets
 * and addresses, so that a node learns nothing it could use in the person's name.
 * @param protocol the one subprotocol the node is to accept
 */
export function replayedRequest(
  request: Pick<IncomingMessage, 'rawHeaders'>,
  path: string,
  protocol: string | undefined,
): Buffer {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: lodge', 'Connection: Upgrade', 'Upgrade: websocket']
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? ''
    if (PASSED.has(name.toLowerCase())) lines.push(`${name}: ${request.rawHeaders[at + 1]}`)
  }
  if (protocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocol}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/**
 * Joins two sockets: what comes in at one goes out at the other, at the pace of the slower. The end
 * of either ends both.
 * @param over called once, when either side has ended
 * @returns ends both at once
 */
export function splice(one: Duplex, other: Duplex, over: () => void): () => void {
  const destroy = () => {
    one.destroy()
    other.destroy()
  }
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    // What was taken in is still written; a side that does not read it is not waited for.
    one.end()
    other.end()
    setTimeout(destroy, LINGER_MS).unref()
    over()
  }
  for (const socket of [one, other]) {
    if (socket instanceof net.Socket) {
      socket.setTimeout(0)
      socket.setNoDelay(true)
      socket.setKeepAlive(true, 30_000)
    }
    socket.on('error', () => socket.destroy())
    socket.once('end', end).once('close', end)
  }
  one.pipe(other, { end: false })
  other.pipe(one, { end: false })
  return destroy
}
