import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { readIdentity } from '../service.ts'

const PATH = /^\/agent\/relay\/([0-9a-f-]{36})$/

/** What an agent is asked to dial for. */
export interface AgentEnd {
  readonly nodeId: string
  readonly serverId: string
  readonly kind: string
  readonly mayWrite: boolean
}

/** A connection that waits for its agent. */
export interface PendingRelay extends AgentEnd {
  readonly sessionId: string
  readonly ticket: string
}

interface Taker {
  /** False once nobody waits for the connection any more. */
  isWanted(): boolean
  /** @param epoch of the credential that the agent dialled with */
  accept(socket: Duplex, head: Buffer, epoch: number): void
}

/** Where agents redeem the tickets of requested connections, each ticket once. */
export interface RelayRouter {
  /** @returns the ticket */
  expect(sessionId: string, end: AgentEnd, taker: Taker): string
  forget(sessionId: string): void
  /** An agent's connection arriving at the fleet port. */
  dialled(request: IncomingMessage, socket: Duplex, head: Buffer): void
  pending(nodeId: string): readonly PendingRelay[]
}

const hash = (ticket: string): Buffer => createHash('sha256').update(ticket).digest()

export function createRelayRouter(
  authenticate: (nodeId: string, credential: string) => Promise<number | undefined>,
): RelayRouter {
  const expected = new Map<string, { readonly relay: PendingRelay; readonly taker: Taker }>()

  async function redeem(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const id = PATH.exec(request.url ?? '')?.[1] ?? ''
    const { authorization } = request.headers
    const identity = readIdentity(authorization, request.headers['x-node-id'])
    const ticket = request.headers['x-relay-ticket']
    const waiting = expected.get(id)
    const wanted = request.headers.upgrade?.toLowerCase() === 'lodge-relay'
    if (!identity || !waiting || typeof ticket !== 'string' || !wanted) return refuse(socket, 404)
    const { relay, taker } = waiting
    const right = timingSafeEqual(hash(ticket), hash(relay.ticket))
    if (!right || identity.nodeId !== relay.nodeId) return refuse(socket, 404)
    // Invalidate the ticket before any await, so that it cannot be redeemed twice.
    expected.delete(id)
    const epoch = await authenticate(identity.nodeId, identity.credential)
    if (epoch === undefined) return refuse(socket, 401)
    if (!taker.isWanted() || socket.destroyed) return refuse(socket, 410)
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: lodge-relay\r\n\r\n',
    )
    taker.accept(socket, head, epoch)
  }

  return {
    expect(sessionId, { nodeId, serverId, kind, mayWrite }, taker) {
      const ticket = randomBytes(32).toString('base64url')
      const relay = { sessionId, ticket, nodeId, serverId, kind, mayWrite }
      expected.set(sessionId, { relay, taker })
      return ticket
    },
    forget: (sessionId) => void expected.delete(sessionId),
    dialled(request, socket, head) {
      socket.on('error', () => socket.destroy())
      redeem(request, socket, head).catch(() => refuse(socket, 503))
    },
    pending: (nodeId) =>
      [...expected.values()].map(({ relay }) => relay).filter((relay) => relay.nodeId === nodeId),
  }
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
