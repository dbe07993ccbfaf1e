import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { status } from '@grpc/grpc-js'
import type { Done } from '@lodge/proto/task.ts'
import type { LeaseTimes } from '@lodge/shared/leases/times.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Channels } from '../db/channels.ts'
import type { Vault } from '../secrets/vault.ts'
import { type Announcement, announce, decodeAnnouncement, FLEET_CHANNEL } from './announcements.ts'
import { type Ask, createAsk } from './ask.ts'
import { openAuthority } from './authority.ts'
import { batched } from './batched.ts'
import type { FleetHandlers } from './handlers.ts'
import { type Listener, openListener } from './listener.ts'
import { FLEET_OPTIONS, type FleetOptions } from './options.ts'
import { createConduits } from './relay/conduit.ts'
import type { RelayMatch } from './relay/match.ts'
import { type CallNode, createNodeClient } from './relay/node-client.ts'
import { createNodeStreams, type OpenStream } from './relay/node-streams.ts'
import { createPairs, type OpenPair, type PairEnd } from './relay/pairs.ts'
import { createRelays, isBefore, type RelayTarget } from './relay/relay.ts'
import { createRelayRouter, type PendingRelay } from './relay/relay-router.ts'
import { createTransfers, type OpenTransfer } from './relay/transfers.ts'
import { createService } from './service.ts'
import type { TaskOptions } from './session/running-tasks.ts'
import { createTasks, type TaskRequest } from './tasks.ts'

/** Programs open several connections for one person, and keep them. */
const STREAM_LIMITS = { connectionsPerServer: 64, transfersPerUser: 24, transfersPerServer: 63 }

/** Figures for the metrics page; counters start with the process. */
export interface FleetMetrics {
  readonly connectedNodes: number
  readonly connections: number
  readonly openRelays: number
  readonly sessionsOpened: number
  /** Sessions opened, by node. */
  readonly openedByNode: ReadonlyMap<string, number>
  readonly sessionsRefused: number
  readonly sessionsFenced: number
  readonly messagesHeard: number
  readonly relaysOpened: number
  readonly relaysRefused: number
}

/** The control plane's side of the fleet: the node streams held by this instance. */
export interface Fleet {
  readonly instanceId: string
  /** host:port that agents dial. */
  readonly address: string
  readonly port: number
  /** SHA-256 of the authority's certificate, which a joining agent pins. */
  readonly fingerprint: string
  /** Public key pin of the port's current certificate, in the format of `curl --pinnedpubkey`. */
  readonly publicKeyPin: string
  /** The authority's certificate, PEM. */
  readonly caCertificate: string
  readonly leaseTimes: LeaseTimes
  /** Signs what agents must know to come from this installation. */
  sign(text: string): Buffer
  /**
   * Signals that the desired state of a server may have changed. Call it after the commit; other
   * instances learn of it through `announceDesired`, called inside the transaction.
   */
  wake(nodeId: string, serverId?: string): void
  /**
   * Runs one task on a node.
   * @throws {Problem} node_unavailable, node_timeout
   * @throws {TaskFailure} if the node refused or failed
   */
  runTask(nodeId: string, task: TaskRequest, options: TaskOptions): Promise<Done>
  /**
   * Runs a task whose output is the response to a request; see `WAITING_FOR_NODE_MAX`.
   * @throws {Problem} node_unavailable, node_timeout
   * @throws {TaskFailure} if the node refused or failed
   */
  ask: Ask
  /**
   * Connects a browser's upgraded socket to the node. Rejects before writing anything to the
   * socket.
   * @throws {Problem} limit_exceeded, node_unavailable, node_timeout
   */
  openRelay(
    target: RelayTarget,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void>
  /**
   * Connects two nodes, through this instance unless the second reaches the first: it asks the first
   * to dial, and the caller gives the second its ticket.
   * @throws {Problem} node_unavailable
   */
  openPair(first: PairEnd, second: PairEnd): Promise<OpenPair>
  /**
   * Sends a request to a service of a node, such as the files of a server.
   * @throws {Problem} node_unavailable, node_timeout, node_protocol_error, too_many_transfers
   */
  callNode: CallNode
  /**
   * Opens a connection to a service of a node that goes on in a protocol of its own.
   * @throws {Problem} node_unavailable, node_timeout, unsupported_on_node, too_many_transfers
   */
  openStream: OpenStream
  /** Relays waiting for the node to dial this instance, with their tickets. */
  pendingRelays(nodeId: string): readonly PendingRelay[]
  /**
   * Closes the relays and transfers of this instance that match all given keys. Each instance hears
   * itself what ends them, from the live events, and looks again now and then.
   * @returns how many were closed
   */
  closeRelays(match: RelayMatch): number
  /** The relays of this instance, for rechecking permissions. */
  openRelays(): readonly (RelayTarget & { readonly id: string })[]
  /** Ends one of them. @returns how many were closed */
  closeRelay(id: string): number
  /** The requests to services of nodes that this instance carries, for rechecking permissions. */
  openTransfers(): readonly OpenTransfer[]
  /** Ends one of them. */
  closeTransfer(id: string): void
  /**
   * Ends the node's session and relays on every instance. Call it after committing a changed
   * credential or the removal of the node.
   * @param epoch of a changed credential: what the node has opened with it meanwhile stays open
   */
  disconnectNode(nodeId: string, epoch?: number): Promise<void>
  /** Whether this instance holds the node's stream. */
  isConnected(nodeId: string): boolean
  connectedNodes(): string[]
  metrics(): FleetMetrics
  stop(): Promise<void>
}

/**
 * Opens the fleet port and subscribes to the other instances.
 * @param given.advertisedAddress host:port that agents dial, which leads to any of several instances;
 * defaults to host and port
 * @param given.instanceAddress host:port at which they reach this one; defaults to the former
 * @param given.httpHandler serves enrolment and downloads on the same port
 */
export async function startFleet(given: {
  pool: pg.Pool
  channels: Channels
  log: Logger
  vault: Vault
  authorityFolder: string
  host: string
  port: number
  advertisedAddress?: string | undefined
  instanceAddress?: string | undefined
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
  const sendBatched = batched(
    async (news: readonly Announcement[]) => {
      await announce(pool, ...news)
      return news
    },
    { waitMs: 5, most: 500 },
  )
  const broadcast = (news: Announcement) => {
    sendBatched(news).catch((error: unknown) => {
      log.warn({ err: error, news: news.kind }, 'could not notify the other control planes')
    })
  }
  const opened = (nodeId: string, sessionId: string) => {
    tasks.arrived(nodeId)
    broadcast({ kind: 'opened', nodeId, sessionId })
  }
  const service = createService({ instanceId, handlers, options, log, cut, opened })
  const advertisedAddress = given.advertisedAddress ?? given.host
  const boundAddress = (named: string) => advertised(named, listener?.port)
  const tasks = createTasks({
    ...{ pool, instanceId, options, log, vault: given.vault },
    address: () => boundAddress(given.instanceAddress ?? advertisedAddress),
    find: service.find,
  })
  const relayRouter = createRelayRouter((nodeId, credential) =>
    handlers.authenticate(nodeId, credential),
  )
  const relays = createRelays({ options, router: relayRouter, ask: tasks.openRelay })
  const pairs = createPairs({
    router: relayRouter,
    ask: tasks.openRelay,
    address: tasks.addressForAgents,
    directWay: (firstId, secondId) => handlers.directWay(firstId, secondId),
    timeoutMs: options.relayTicketMs,
  })
  const transfers = createTransfers(options)
  const { relayTicketMs: timeoutMs } = options
  const conduits = createConduits({ router: relayRouter, ask: tasks.openRelay, timeoutMs })
  const nodeClient = createNodeClient(conduits, transfers, options)
  const streams = createTransfers(STREAM_LIMITS)
  const openStream = createNodeStreams(conduits, streams)
  // The news may come late: the node can be back before, here or through another instance.
  const drop = (nodeId: string, epoch: number | undefined) => {
    relays.closeBefore(nodeId, epoch)
    const session = service.find(nodeId)
    if (session && !isBefore(session.epoch, epoch)) return
    transfers.close({ nodeId })
    streams.close({ nodeId })
    nodeClient.forget(nodeId)
    void session?.end(status.UNAUTHENTICATED, 'the node was disconnected')
  }
  const receive = (text: string) => {
    const news = decodeAnnouncement(text)
    if (!news) return
    if (news.kind === 'desired') service.find(news.nodeId)?.wake(news.serverId)
    else if (news.kind === 'task') tasks.announced(news.nodeId, news.taskId)
    else if (news.kind === 'done') tasks.finished(news.taskId)
    else if (news.kind === 'drop') drop(news.nodeId, news.epoch)
    else {
      const session = service.find(news.nodeId)
      if (session?.id !== news.sessionId) session?.verify()
    }
  }
  const caughtUp = () => {
    for (const session of service.sessions()) session.wake()
  }
  const announcements = given.channels.hear(FLEET_CHANNEL, { payload: receive, gap: caughtUp })
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
    address: boundAddress(advertisedAddress),
    port: router.port,
    fingerprint: authority.fingerprint,
    caCertificate: authority.certificate,
    leaseTimes: options.leaseTimes,
    sign: authority.sign,
    get publicKeyPin() {
      return router.publicKeyPin()
    },
    wake: (nodeId, serverId) => service.find(nodeId)?.wake(serverId),
    runTask: tasks.run,
    ask: createAsk(tasks.run),
    openRelay: relays.open,
    openPair: pairs.openPair,
    callNode: nodeClient.call,
    openStream,
    pendingRelays: relayRouter.pending,
    closeRelays: (match) => relays.close(match) + transfers.close(match) + streams.close(match),
    async disconnectNode(nodeId, epoch) {
      drop(nodeId, epoch)
      await announce(pool, { kind: 'drop', nodeId, epoch })
    },
    openRelays: relays.list,
    closeRelay: relays.closeOne,
    openTransfers: transfers.list,
    closeTransfer: transfers.closeOne,
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
      transfers.stop()
      streams.stop()
      nodeClient.stop()
      pairs.stop()
      await tasks.stop()
      await service.stop()
      announcements.stop()
      await router.stop()
    },
  }
}

/** The advertised host:port with the port actually bound. */
function advertised(given: string, port: number | undefined): string {
  const named = /:(\d+)$/.exec(given)?.[1]
  if (named === undefined) return `${given}:${port}`
  return named === '0' ? given.replace(/0$/, String(port)) : given
}
