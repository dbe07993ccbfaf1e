/** Every number of the fleet's door in one place; tests tighten some of them. */
export const FLEET_OPTIONS = {
  protocolMinor: 1,
  heartbeatSeconds: 5,
  sampleSeconds: 5,
  /** So many heartbeats may be missed before a node counts as disconnected. */
  silentHeartbeats: 3,
  helloTimeoutMs: 10_000,
  /** Every desired state is sent again after this long, whatever was heard before. */
  resyncMs: 600_000,
  /** Observations that come so soon after others were handed over are gathered for this long. */
  gatherMs: 5,
  /** So many messages may wait for the domain before the stream is no longer read. */
  inboxMessages: 500,
  maxMessageBytes: 1024 * 1024,
  messagesPerSecond: 200,
  /** Messages a node may send at once, after a reconnect for example. */
  messageBurst: 2_000,
  /** A node that has used up its rate is read slowly; one that keeps it up for this long is sent away. */
  throttledMs: 60_000,
  /** An agent that takes nothing off its stream for this long is sent away. */
  stalledMs: 30_000,
  /** Tasks and relays that may wait for one node's stream. */
  outboxErrands: 256,
  /** Credentials looked up at the same time, with few statements for all of them. */
  concurrentLookups: 256,
  concurrentHandshakes: 32,
  waitingHandshakes: 16_384,
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  /** A connection on which no stream is open has no business here. */
  idleConnectionMs: 30_000,
  connectionsPerAddress: 4_096,
  /** Open at once, see `connectionBudget`. */
  connections: 100_000,
  /** Who says nothing for this long after connecting is cut off. */
  silentMs: 10_000,
  /** How long a task may lie unclaimed before the node counts as not connected to any instance. */
  claimMs: 3_000,
  relayTicketMs: 10_000,
  relaysPerUser: 10,
  relaysPerServer: 30,
}

export type FleetOptions = typeof FLEET_OPTIONS
