import type { ConnectResponse, DesiredNode, HeartbeatAck } from '@lodge/proto/fleet.ts'
import type { DesiredServer } from '@lodge/proto/server.ts'

type Message = NonNullable<ConnectResponse['message']>

/**
 * The writing end of a stream: `write` returns false when it is full, and `drained` is called once
 * it has room.
 */
export interface Line {
  write(message: ConnectResponse): boolean
  onDrain(drained: () => void): void
}

/**
 * The only writer of a stream. What queues for a slow reader is bounded: one desired state per
 * server, one acknowledgement of each kind, and a limited number of errands. Nothing accepted is
 * dropped.
 */
export class Outbox {
  readonly #line: Line
  readonly #maxErrands: number
  readonly #errands: Message[] = []
  readonly #desired = new Map<string, DesiredServer>()
  #node: DesiredNode | undefined
  #reportAck: number | undefined
  #beatAck: HeartbeatAck | undefined
  #allSent: (() => void)[] | undefined
  #blockedSinceMs: number | undefined
  #closed = false

  constructor(line: Line, maxErrands: number) {
    this.#line = line
    this.#maxErrands = maxErrands
    line.onDrain(() => {
      this.#blockedSinceMs = undefined
      this.#pump()
    })
  }

  /** Since when (performance.now()) the reader has been blocking pending messages. */
  get blockedSinceMs(): number | undefined {
    return this.#blockedSinceMs
  }

  get waiting(): number {
    return this.#errands.length + this.#desired.size
  }

  /** @returns false if too many errands are queued or the stream has ended */
  post(errand: Message): boolean {
    if (this.#closed || this.#errands.length >= this.#maxErrands) return false
    this.#errands.push(errand)
    this.#pump()
    return true
  }

  acknowledgeReports(through: number): void {
    this.#reportAck = Math.max(through, this.#reportAck ?? 0)
    this.#pump()
  }

  /** @param lease what the heartbeat has renewed; undefined: nothing */
  acknowledgeBeat(sequence: number, lease?: { epoch: number; ttlMs: number }): void {
    this.#beatAck = {
      sequence,
      leaseTtl: lease && durationOf(lease.ttlMs),
      nodeEpoch: lease?.epoch ?? 0,
    }
    this.#pump()
  }

  /** Sends the desired state of the node itself, replacing one still queued. */
  setDesiredNode(desired: DesiredNode): void {
    if (this.#closed) return
    this.#node = desired
    this.#pump()
  }

  /** Replaces an older desired state still queued. */
  setDesired(desired: DesiredServer): void {
    const waiting = this.#desired.get(desired.serverId)
    if (waiting && waiting.generation > desired.generation) return
    this.#desired.set(desired.serverId, desired)
    this.#pump()
  }

  /**
   * Sends all desired states, then the end of the list. Resolves when both are written; no other
   * round may begin before that, or the agent would miss in the second what was merged into the
   * first.
   */
  setAllDesired(all: readonly DesiredServer[]): Promise<void> {
    for (const desired of all) this.#desired.set(desired.serverId, desired)
    return new Promise((resolve) => {
      if (this.#closed) return resolve()
      this.#allSent = [...(this.#allSent ?? []), resolve]
      this.#pump()
    })
  }

  close(): void {
    this.#closed = true
    this.#blockedSinceMs = undefined
    for (const sent of this.#allSent ?? []) sent()
    this.#allSent = undefined
    this.#desired.clear()
    this.#node = undefined
    this.#errands.length = 0
  }

  #pump(): void {
    while (!this.#closed && this.#blockedSinceMs === undefined) {
      const message = this.#next()
      if (!message) return
      if (!this.#line.write({ message })) this.#blockedSinceMs = performance.now()
    }
  }

  #next(): Message | undefined {
    if (this.#beatAck !== undefined) {
      const value = this.#beatAck
      this.#beatAck = undefined
      return { $case: 'heartbeatAck', value }
    }
    if (this.#reportAck !== undefined) {
      const through = this.#reportAck
      this.#reportAck = undefined
      return { $case: 'reportAck', value: { through } }
    }
    const errand = this.#errands.shift()
    if (errand) return errand
    if (this.#node) {
      const value = this.#node
      this.#node = undefined
      return { $case: 'desiredNode', value }
    }
    for (const [serverId, desired] of this.#desired) {
      this.#desired.delete(serverId)
      return { $case: 'desiredServer', value: desired }
    }
    if (this.#allSent) {
      for (const sent of this.#allSent) sent()
      this.#allSent = undefined
      return { $case: 'desiredEnd', value: {} }
    }
    return undefined
  }
}

const durationOf = (milliseconds: number) => ({
  seconds: Math.floor(milliseconds / 1000),
  nanos: (milliseconds % 1000) * 1e6,
})
