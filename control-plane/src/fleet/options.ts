import { LEASE_TIMES } from '@lodge/shared/leases/times.ts'

/** All limits and times of the fleet port; tests tighten some of them. */
export const FLEET_OPTIONS = {
  protocolMinor: 2,
  heartbeatSeconds: 5,
  sampleSeconds: 5,
  leaseTimes: LEASE_TIMES,
  /** Heartbeats missed before a node counts as disconnected. */
  silentHeartbeats: 3,
  helloTimeoutMs: 10_000,
  /** All desired states are resent at this interval, regardless of notifications. */
  resyncMs: 600_000,
  /** After a delivery, observations are batched for this long. */
  gatherMs: 5,
  /** Undelivered messages before the stream is paused. */
  inboxMessages: 500,
  maxMessageBytes: 1024 * 1024,
  messagesPerSecond: 200,
  /** Burst of messages, for example after a reconnect. */
  messageBurst: 2_000,
  /** A node over its rate is read slowly; one that stays over it for this long is disconnected. */
  throttledMs: 60_000,
  /** An agent that reads nothing for this long is disconnected. */
  stalledMs: 30_000,
  /** Tasks and relay requests that may queue for one node's stream. */
  outboxErrands: 256,
  /** Concurrent credential lookups; they are batched into few statements. */
  concurrentLookups: 256,
  concurrentHandshakes: 32,
  waitingHandshakes: 16_384,
  handshakeTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  /** A connection without an open stream is closed after this long. */
  idleConnectionMs: 30_000,
  connectionsPerAddress: 4_096,
  /** In total; see `connectionBudget`. */
  connections: 100_000,
  /** A connection that sends nothing for this long is closed. */
  silentMs: 10_000,
  /** How long a task may stay unclaimed before the node counts as connected to no instance. */
  claimMs: 3_000,
  relayTicketMs: 10_000,
  relaysPerUser: 10,
  relaysPerServer: 30,
  /** Requests to services of nodes under way or waiting, counted apart for long and short ones. */
  transfersPerUser: 8,
  transfersPerServer: 24,
  /** To the services of one server; one of them is kept for short requests. */
  connectionsPerServer: 4,
}

export type FleetOptions = typeof FLEET_OPTIONS
