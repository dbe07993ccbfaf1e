import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/** Generous: the answer for two hundred players is a tenth of this. */
const MOST_BYTES = 256 * 1024
const LOOPBACK = '127.0.0.1'

/** A local port that relays one query to a server and a limited number of bytes back. */
export interface NarrowPort {
  readonly port: number
  close(): void
}

/**
 * Shields the query library, which buffers everything it receives, from an answer that no honest
 * game would send.
 */
export async function narrowUdpPort(hostPort: number): Promise<NarrowPort> {
  const [near, far] = [createSocket('udp4'), createSocket('udp4')]
  near.bind(0, LOOPBACK)
  far.connect(hostPort, LOOPBACK)
  await Promise.all([once(near, 'listening'), once(far, 'connect')])
  let asker: number | undefined
  let left = MOST_BYTES
  const close = () => {
    for (const socket of [near, far]) {
      socket.removeAllListeners('message')
      socket.close()
    }
  }
  // Connection refused: the query stays unanswered.
  for (const socket of [near, far]) socket.on('error', () => undefined)
  near.on('message', (message, { port }) => {
    asker ??= port
    if (port === asker) far.send(message)
  })
  far.on('message', (message) => {
    left -= message.byteLength
    if (left < 0) far.removeAllListeners('message')
    else if (asker !== undefined && !isPacked(message)) near.send(message, asker, LOOPBACK)
  })
  return { port: near.address().port, close }
}

/**
 * A compressed part of a Valve answer: it could expand to any size, and no current game sends one.
 */
const isPacked = (message: Buffer): boolean =>
  message.byteLength >= 8 && message.readInt32LE(0) === -2 && message.readInt32LE(4) < 0

/** The same for TCP. */
export async function narrowTcpPort(hostPort: number): Promise<NarrowPort> {
  const sockets = new Set<net.Socket>()
  let left = MOST_BYTES
  const server = net.createServer((near) => {
    const far = net.connect(hostPort, LOOPBACK)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
    }
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk) => {
      left -= chunk.byteLength
      if (left < 0) near.destroy()
      else near.write(chunk)
    })
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
