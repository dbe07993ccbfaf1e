import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import { Problem } from '../problem.ts'
import type { RelayMatch } from './announcements.ts'
import { type Handshake, shakeHands, switchingProtocols } from './handshake.ts'
import type { FleetOptions } from './options.ts'
import type { RelayRouter } from './relay-router.ts'
import { splice } from './splice.ts'

const EARLY_BYTES = 65_536

/** Who is connected to what; also what a revocation is matched against. */
export interface RelayTarget {
  readonly nodeId: string
  readonly serverId: string
  /** console, install_log. */
  readonly kind: string
  readonly mayWrite: boolean
  /** The person, for limits and revocation. */
  readonly userKey: string
  /** The person's session, ended with it. */
  readonly sessionKey?: string
  /** The WebSocket subprotocol to accept, one of those the browser offered. */
  readonly protocol?: string
}

export interface Relays {
  /**
   * Joins a browser's upgraded socket with a connection that the agent opens for it. Nothing has been
   * written to the socket when this rejects: the caller answers it.
   * @throws {Problem} limit_exceeded, node_unavailable, node_timeout, node_protocol_error
   */
  open(target: RelayTarget, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Ends what matches here. An empty match matches nothing. @returns how many */
  close(match: RelayMatch): number
  list(): readonly (RelayTarget & { readonly id: string })[]
  readonly counts: { opened: number; refused: number }
  stop(): void
}

interface Entry {
  readonly id: string
  readonly target: RelayTarget
  close(): void
}

export function createRelays(given: {
  options: FleetOptions
  router: RelayRouter
  /** Asks the agent to dial. */
  ask: (nodeId: string, relay: Omit<RelayOpen, 'address'>, timeoutMs: number) => Promise<void>
}): Relays {
  const { options } = given
  const entries = new Map<string, Entry>()
  const counts = { opened: 0, refused: 0 }

  function requireQuota({ userKey, serverId }: RelayTarget): void {
    const open = [...entries.values()]
    const ofUser = open.filter(({ target }) => target.userKey === userKey).length
    const ofServer = open.filter(({ target }) => target.serverId === serverId).length
    if (ofUser >= options.relaysPerUser || ofServer >= options.relaysPerServer) {
      counts.refused += 1
      throw new Problem('limit_exceeded', 'Too many consoles are open already')
    }
  }

  /** Registers the relay; the promise is a WebSocket of the agent, or the reason why there is none. */
  function expect(id: string, target: RelayTarget, handshake: Handshake, browser: Duplex) {
    const agent = Promise.withResolvers<Duplex>()
    const ended = new AbortController()
    const fail = (problem: Problem) => {
      entries.delete(id)
      given.router.forget(id)
      agent.reject(problem)
      ended.abort(problem)
    }
    const left = watch(browser, () => fail(new Problem('node_unavailable', 'The caller has gone')))
    const timer = setTimeout(
      () => fail(new Problem('node_timeout', 'The node did not open the connection in time')),
      options.relayTicketMs,
    )
    const close = () => fail(new Problem('forbidden', 'The permission was withdrawn'))
    entries.set(id, { id, target, close })
    const ticket = given.router.expect(id, target, {
      isWanted: () => entries.has(id),
      accept(socket, early) {
        if (early.length > 0) socket.unshift(early)
        agent.resolve(socket)
      },
    })
    const settled = agent.promise
      .then(async (socket) => ({
        socket,
        head: await shakeHands(socket, handshake, ended.signal),
      }))
      .finally(() => {
        clearTimeout(timer)
        left()
      })
    // The asking may fail first; the reason is then the asking's.
    settled.catch(() => entries.delete(id))
    return { settled, fail, ticket, early: left.early }
  }

  async function open(
    target: RelayTarget,
    request: IncomingMessage,
    browser: Duplex,
    head: Buffer,
  ): Promise<void> {
    requireQuota(target)
    const id = crypto.randomUUID()
    const { protocol } = target
    const handshake = { request, path: `/relay/${target.kind}`, protocol }
    const expected = expect(id, target, handshake, browser)
    try {
      const { nodeId, serverId, kind, mayWrite } = target
      const relay = { sessionId: id, serverId, kind, ticket: expected.ticket, mayWrite }
      await given.ask(nodeId, relay, options.relayTicketMs)
    } catch (error) {
      expected.fail(new Problem('node_unavailable', 'The node is not connected'))
      throw error
    }
    const agent = await expected.settled
    const entry = entries.get(id)
    if (!entry || browser.destroyed || agent.socket.destroyed) {
      entries.delete(id)
      browser.destroy()
      agent.socket.destroy()
      return
    }
    browser.write(switchingProtocols(handshake))
    for (const bytes of [head, ...expected.early]) agent.socket.write(bytes)
    if (agent.head.length > 0) browser.write(agent.head)
    entry.close = splice(browser, agent.socket, () => entries.delete(id))
    counts.opened += 1
  }

  return {
    open,
    close(match) {
      const keys = (['userKey', 'sessionKey', 'serverId', 'nodeId'] as const).filter(
        (key) => match[key] !== undefined,
      )
      if (keys.length === 0) return 0
      const found = [...entries.values()].filter(({ target }) =>
        keys.every((key) => target[key] === match[key]),
      )
      for (const entry of found) entry.close()
      return found.length
    },
    list: () => [...entries.values()].map(({ id, target }) => ({ ...target, id })),
    counts,
    stop() {
      for (const entry of [...entries.values()]) entry.close()
    },
  }
}

/**
 * Reads a browser's socket while it waits, since only a socket that is read tells that its other end
 * has gone.
 * @returns stops that; `early` is what came
 */
function watch(browser: Duplex, gone: () => void): (() => void) & { readonly early: Buffer[] } {
  const early: Buffer[] = []
  let bytes = 0
  const keep = (chunk: Buffer) => {
    early.push(chunk)
    bytes += chunk.length
    // Nothing may be sent before the answer to the handshake.
    if (bytes > EARLY_BYTES) browser.destroy()
  }
  // Without a listener a browser that resets its connection would end the process.
  browser.on('error', () => browser.destroy())
  browser.on('data', keep).once('end', gone).once('close', gone)
  const stop = () => {
    browser.pause()
    browser.off('data', keep).off('end', gone).off('close', gone)
  }
  return Object.assign(stop, { early })
}
