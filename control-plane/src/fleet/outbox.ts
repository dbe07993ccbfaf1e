import type { ConnectResponse, DesiredNode } from '@lodge/proto/fleet.ts'
import type { DesiredServer } from '@lodge/proto/server.ts'

type Message = NonNullable<ConnectResponse['message']>

/** The writing end of a stream: `write` says false when it is full, `drained` is called back once it is not. */
export interface Line {
  write(message: ConnectResponse): boolean
  onDrain(drained: () => void): void
}

/**
 * The one writer of a stream. What a slow reader makes wait stays small by its nature: there is one
 * desired state per server, one acknowledgement of each kind, and a bounded number of errands. Nothing that
 * was taken in is dropped.
 */
export class Outbox {
  readonly #line: Line
  readonly #maxErrands: number
  readonly #errands: Message[] = []
  readonly #desired = new Map<string, DesiredServer>()
  #node: DesiredNode | undefined
  #reportAck: number | undefined
  #beatAck: number | undefined
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

  /** Since when (performance.now()) the reader has taken nothing, while something waits for it. */
  get blockedSinceMs(): number | undefined {
    return this.#blockedSinceMs
  }

  get waiting(): number {
    return this.#errands.length + this.#desired.size
  }

  /** @returns false when too many errands wait already, or the stream has ended */
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

  acknowledgeBeat(sequence: number): void {
    this.#beatAck = sequence
    this.#pump()
  }

  /** The desired state of the node itself: the newest takes the place of one that still waits. */
  setDesiredNode(desired: DesiredNode): void {
    if (this.#closed) return
    this.#node = desired
    this.#pump()
  }

  /** A newer desired state takes the place of one that still waits. */
  setDesired(desired: DesiredServer): void {
    const waiting = this.#desired.get(desired.serverId)
    if (waiting && waiting.generation > desired.generation) return
    this.#desired.set(desired.serverId, desired)
    this.#pump()
  }

  /**
   * Sends all desired states and then that these were all. Resolves when that has been written: until then
   * no other round may begin, or the agent would miss in the second what was merged into the first.
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
      const sequence = this.#beatAck
      this.#beatAck = undefined
      return { $case: 'heartbeatAck', value: { sequence, leaseTtl: undefined } }
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
