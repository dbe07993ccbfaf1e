import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { status } from '@grpc/grpc-js'
import type { Done } from '@lodge/proto/task.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Channels } from '../db/channels.ts'
import {
  type Announcement,
  announce,
  decodeAnnouncement,
  FLEET_CHANNEL,
  type RelayMatch,
} from './announcements.ts'
import { openAuthority } from './authority.ts'
import { batched } from './batched.ts'
import type { FleetHandlers } from './handlers.ts'
import { type Listener, openListener } from './listener.ts'
import { FLEET_OPTIONS, type FleetOptions } from './options.ts'
import { createPairs, type OpenPair, type PairEnd } from './pairs.ts'
import { createRelays, type RelayTarget } from './relay.ts'
import { createRelayRouter, type PendingRelay } from './relay-router.ts'
import { createService } from './service.ts'
import type { TaskOptions } from './session.ts'
import { createTasks, type TaskRequest } from './tasks.ts'

/** Figures for the metrics page; counters grow from the start of the process. */
export interface FleetMetrics {
  readonly connectedNodes: number
  readonly connections: number
  readonly openRelays: number
  readonly sessionsOpened: number
  /** Sessions that each node has opened. */
  readonly openedByNode: ReadonlyMap<string, number>
  readonly sessionsRefused: number
  readonly sessionsFenced: number
  readonly messagesHeard: number
  readonly relaysOpened: number
  readonly relaysRefused: number
}

/** The control plane's side of the fleet: every node's stream that this instance holds. */
export interface Fleet {
  readonly instanceId: string
  /** host:port that agents dial. */
  readonly address: string
  readonly port: number
  /** SHA-256 of the authority's certificate, what a joining agent pins. */
  readonly fingerprint: string
  /** Public key of the port's present certificate, as `curl --pinnedpubkey` takes it. */
  readonly publicKeyPin: string
  /** The authority's certificate, PEM. */
  readonly caCertificate: string
  /**
   * The desired state for a server may have changed: after the commit. Other instances are told by
   * `announceDesired` inside the transaction.
   */
  wake(nodeId: string, serverId?: string): void
  /**
   * Has one piece of work done by a node.
   * @throws {Problem} node_unavailable, node_timeout
   * @throws {TaskFailure} the node refused or failed
   */
  runTask(nodeId: string, task: TaskRequest, options: TaskOptions): Promise<Done>
  /**
   * Joins a browser's upgraded socket with the node. Rejects before anything is written to the socket.
   * @throws {Problem} limit_exceeded, node_unavailable, node_timeout
   */
  openRelay(
    target: RelayTarget,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void>
  /**
   * Lets two nodes talk through this instance: the first is asked to dial, the second is told by the
   * caller what to redeem. What one sends the other receives.
   * @throws {Problem} node_unavailable
   */
  openPair(first: PairEnd, second: PairEnd): Promise<OpenPair>
  /** What waits for the node to dial this instance, with its tickets. */
  pendingRelays(nodeId: string): readonly PendingRelay[]
  /** Ends the relays that carry all the given keys, on every instance. @returns how many ended here */
  closeRelays(match: RelayMatch): Promise<number>
  /** The relays of this instance, for looking at permissions again. */
  openRelays(): readonly (RelayTarget & { readonly id: string })[]
  /**
   * Ends the node's session and its relays, on every instance: after its credential was changed or
   * the node removed, once that has been committed.
   */
  disconnectNode(nodeId: string): Promise<void>
  /** Whether this instance holds the node's stream. */
  isConnected(nodeId: string): boolean
  connectedNodes(): string[]
  metrics(): FleetMetrics
  stop(): Promise<void>
}

/**
 * Opens the fleet's port and starts to listen to the other instances.
 * @param given.advertisedAddress host:port that agents reach this instance at; by default host and port
 * @param given.httpHandler answers enrolments and downloads on the same port
 */
export async function startFleet(given: {
  pool: pg.Pool
  channels: Channels
  log: Logger
  authorityFolder: string
  host: string
  port: number
  advertisedAddress?: string | undefined
  handlers: FleetHandlers
  httpHandler: (request: IncomingMessage, response: ServerResponse) => void
  options?: Partial<FleetOptions>
}): Promise<Fleet> {
  const { pool, log, handlers } = given
  const options: FleetOptions = { ...FLEET_OPTIONS, ...given.options }
  const { instanceId } = given.channels
  const authority = await openAuthority(given.authorityFolder)

  let listener: Listener | undefined
  const cut = (peer: string) => listener?.cut(peer)
  const told = batched(
    async (news: readonly Announcement[]) => {
      await announce(pool, ...news)
      return news
    },
    { waitMs: 5, most: 500 },
  )
  const tell = (news: Announcement) => {
    told(news).catch((error: unknown) => {
      log.warn({ err: error, news: news.kind }, 'the other control planes were not told')
    })
  }
  const opened = (nodeId: string, sessionId: string) => {
    tasks.arrived()
    tell({ kind: 'opened', nodeId, sessionId })
  }
  const service = createService({ instanceId, handlers, options, log, cut, opened })
  const address = () => advertised(given.advertisedAddress ?? given.host, listener?.port)
  const tasks = createTasks({ pool, instanceId, options, log, find: service.find, address })
  const relayRouter = createRelayRouter((nodeId, credential) =>
    handlers.authenticate(nodeId, credential),
  )
  const relays = createRelays({ options, router: relayRouter, ask: tasks.openRelay })
  const pairs = createPairs({
    router: relayRouter,
    ask: tasks.openRelay,
    address: tasks.addressForAgents,
    timeoutMs: options.relayTicketMs,
  })
  const drop = (nodeId: string) => {
    relays.close({ nodeId })
    void service.find(nodeId)?.end(status.UNAUTHENTICATED, 'the node was disconnected')
  }
  const heard = (text: string) => {
    const news = decodeAnnouncement(text)
    if (!news) return
    if (news.kind === 'desired') service.find(news.nodeId)?.wake(news.serverId)
    else if (news.kind === 'task') tasks.announced(news.nodeId, news.taskId)
    else if (news.kind === 'done') tasks.finished(news.taskId)
    else if (news.kind === 'close') relays.close(news.match)
    else if (news.kind === 'drop') drop(news.nodeId)
    else {
      const session = service.find(news.nodeId)
      if (session?.id !== news.sessionId) session?.verify()
    }
  }
  const caughtUp = () => {
    for (const session of service.sessions()) session.wake()
  }
  const announcements = given.channels.hear(FLEET_CHANNEL, { payload: heard, gap: caughtUp })
  await announcements.ready
  const router = await openListener({
    host: given.host,
    port: given.port,
    authority,
    options,
    log,
    grpc: service.grpc,
    onRequest: given.httpHandler,
    onUpgrade: relayRouter.dialled,
  })
  listener = router
  const open = () => [...service.sessions()].filter((session) => !session.ended)

  return {
    instanceId,
    address: address(),
    port: router.port,
    fingerprint: authority.fingerprint,
    caCertificate: authority.certificate,
    get publicKeyPin() {
      return router.publicKeyPin()
    },
    wake: (nodeId, serverId) => service.find(nodeId)?.wake(serverId),
    runTask: tasks.run,
    openRelay: relays.open,
    openPair: pairs.openPair,
    pendingRelays: relayRouter.pending,
    async closeRelays(match) {
      const closed = relays.close(match)
      await announce(pool, { kind: 'close', match })
      return closed
    },
    async disconnectNode(nodeId) {
      drop(nodeId)
      await announce(pool, { kind: 'drop', nodeId })
    },
    openRelays: relays.list,
    isConnected: (nodeId) => service.find(nodeId)?.ended === false,
    connectedNodes: () => open().map((session) => session.nodeId),
    metrics() {
      const sessions = open()
      return {
        connectedNodes: sessions.length,
        connections: router.connections(),
        openRelays: relays.list().length,
        sessionsOpened: service.counts.opened,
        openedByNode: service.openedByNode,
        sessionsRefused: service.counts.refused,
        sessionsFenced: service.counts.fenced,
        messagesHeard: sessions.reduce(
          (sum, { messages }) => sum + messages,
          service.counts.messages,
        ),
        relaysOpened: relays.counts.opened,
        relaysRefused: relays.counts.refused,
      }
    },
    async stop() {
      relays.stop()
      pairs.stop()
      await tasks.stop()
      await service.stop()
      announcements.stop()
      await router.stop()
    },
  }
}

/** host:port with the port that was really taken. */
function advertised(given: string, port: number | undefined): string {
  const named = /:(\d+)$/.exec(given)?.[1]
  if (named === undefined) return `${given}:${port}`
  return named === '0' ? given.replace(/0$/, String(port)) : given
}
