import { randomBytes, randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import type { DirectHost } from '@lodge/shared/direct-transfers.ts'
import type { FleetHandlers } from '../handlers.ts'
import type { AgentEnd, RelayRouter } from './relay-router.ts'
import { splice } from './splice.ts'

/** The end that dials first waits this long for the other. */
const PATIENCE_MS = 60_000

/** One node's end of a connection between two nodes. */
export type PairEnd = Pick<AgentEnd, 'nodeId' | 'serverId' | 'kind'>

export interface OpenPair {
  /** What the second node redeems, and where: at the first if it reaches it, else here. */
  readonly second: {
    readonly sessionId: string
    readonly ticket: string
    readonly address: string
    readonly direct?: DirectHost
  }
  /** Closes the pair in any state. */
  close(): void
}

/**
 * Connects two nodes that both dial in, so neither has to be reachable by the other. Where the second
 * may reach the first, it also gets a ticket for the first itself: it tries that way before it dials
 * here, so what it cannot reach costs it some seconds and fails nothing.
 */
export function createPairs(given: {
  router: RelayRouter
  /** Asks an agent to dial. */
  ask: (nodeId: string, relay: Omit<RelayOpen, 'address'>, timeoutMs: number) => Promise<void>
  address: () => Promise<string>
  directWay: FleetHandlers['directWay']
  timeoutMs: number
}) {
  const { router } = given
  const open = new Set<() => void>()

  async function openPair(first: PairEnd, second: PairEnd): Promise<OpenPair> {
    const way = await given.directWay(first.nodeId, second.nodeId)
    const arrived: Duplex[] = []
    let ended = false
    const close = () => {
      ended = true
      open.delete(close)
      clearTimeout(timer)
      for (const id of ids) router.forget(id)
      for (const socket of arrived) socket.destroy()
    }
    const timer = setTimeout(() => arrived.length < 2 && close(), PATIENCE_MS)
    const taker = {
      isWanted: () => !ended,
      accept(socket: Duplex, head: Buffer) {
        if (head.length > 0) socket.unshift(head)
        socket.once('close', close)
        arrived.push(socket)
        const [one, other] = arrived
        if (one && other) splice(one, other, close)
      },
    }
    const ids = [randomUUID(), randomUUID()] as const
    const [firstTicket, secondTicket] = [
      router.expect(ids[0], { ...first, mayWrite: false }, taker),
      router.expect(ids[1], { ...second, mayWrite: false }, taker),
    ]
    open.add(close)
    const directTicket = randomBytes(32).toString('base64url')
    try {
      const { nodeId, serverId, kind } = first
      const relay = {
        sessionId: ids[0],
        serverId,
        kind,
        ticket: firstTicket,
        mayWrite: false,
        person: '',
        direct: way && {
          ticket: directTicket,
          fingerprint: way.guestFingerprint,
          withinMs: PATIENCE_MS,
        },
      }
      await given.ask(nodeId, relay, given.timeoutMs)
      const address = await given.address()
      const direct = way && {
        address: way.address,
        ticket: directTicket,
        fingerprint: way.hostFingerprint,
      }
      const redeemed = { sessionId: ids[1], ticket: secondTicket, address }
      return { second: { ...redeemed, ...(direct && { direct }) }, close }
    } catch (error) {
      close()
      throw error
    }
  }

  return {
    openPair,
    stop() {
      for (const close of [...open]) close()
    },
  }
}
