import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import { Problem } from '../../problem.ts'
import type { FleetOptions } from '../options.ts'
import { type Handshake, shakeHands, switchingProtocols } from './handshake.ts'
import { isMatched, type Opened, type RelayMatch } from './match.ts'
import type { RelayRouter } from './relay-router.ts'
import { splice } from './splice.ts'

const EARLY_BYTES = 65_536

/** Both ends of a relay. */
export interface RelayTarget extends Opened {
  /** console, install_log. */
  readonly kind: string
  readonly mayWrite: boolean
  /** Who types, as the other readers see it. */
  readonly person?: string
  /** The WebSocket subprotocol to accept, one that the browser offered. */
  readonly protocol?: string
}

export interface Relays {
  /**
   * Connects a browser's upgraded socket to a connection that the agent dials. If it rejects,
   * nothing has been written to the socket and the caller must respond.
   * @throws {Problem} limit_exceeded, node_unavailable, node_timeout, node_protocol_error
   */
  open(target: RelayTarget, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /**
   * Closes matching relays of this instance.
   * @returns how many were closed
   */
  close(match: RelayMatch): number
  /** The same for a single one. */
  closeOne(id: string): number
  /** Closes the node's relays that were dialled with a credential before this epoch; all without. */
  closeBefore(nodeId: string, epoch: number | undefined): void
  list(): readonly (RelayTarget & { readonly id: string })[]
  readonly counts: { opened: number; refused: number }
  stop(): void
}

/** @param epoch that the rest is before; everything is, if there is none */
export const isBefore = (of: number, epoch: number | undefined): boolean =>
  epoch === undefined || of < epoch

interface Entry {
  readonly id: string
  readonly target: RelayTarget
  /** Of the agent's credential, once it has dialled. */
  epoch?: number
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

  /**
   * Registers the relay; the promise resolves to a WebSocket of the agent or rejects with the
   * reason.
   */
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
    const entry: Entry = { id, target, close }
    entries.set(id, entry)
    const ticket = given.router.expect(id, target, {
      isWanted: () => entries.has(id),
      accept(socket, early, epoch) {
        entry.epoch = epoch
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
    // `ask` may fail first; then its reason counts and this rejection is handled here.
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
      const { nodeId, serverId, kind, mayWrite, person = '' } = target
      const relay = { sessionId: id, serverId, kind, ticket: expected.ticket, mayWrite, person }
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
      const found = [...entries.values()].filter(({ target }) => isMatched(target, match))
      for (const entry of found) entry.close()
      return found.length
    },
    closeOne(id) {
      const entry = entries.get(id)
      entry?.close()
      return entry ? 1 : 0
    },
    closeBefore(nodeId, epoch) {
      // An agent that has not dialled yet must still show a credential.
      for (const entry of [...entries.values()])
        if (entry.target.nodeId === nodeId && isBefore(entry.epoch ?? Infinity, epoch))
          entry.close()
    },
    list: () => [...entries.values()].map(({ id, target }) => ({ ...target, id })),
    counts,
    stop() {
      for (const entry of [...entries.values()]) entry.close()
    },
  }
}

/**
 * Reads a browser's socket while it waits, since only a socket being read reports that its peer has
 * closed.
 * @returns stops watching; `early` holds what was read
 */
function watch(browser: Duplex, gone: () => void): (() => void) & { readonly early: Buffer[] } {
  const early: Buffer[] = []
  let bytes = 0
  const keep = (chunk: Buffer) => {
    early.push(chunk)
    bytes += chunk.length
    // A client must not send anything before the handshake is answered.
    if (bytes > EARLY_BYTES) browser.destroy()
  }
  // Without a listener, a connection reset would crash the process.
  browser.on('error', () => browser.destroy())
  browser.on('data', keep).once('end', gone).once('close', gone)
  const stop = () => {
    browser.pause()
    browser.off('data', keep).off('end', gone).off('close', gone)
  }
  return Object.assign(stop, { early })
}
