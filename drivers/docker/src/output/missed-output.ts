import type { Engine } from '../engine/client.ts'
import { unframed } from './frames.ts'

/** How much of the delivered output is remembered to find the resume point. */
const REMEMBERED_BYTES = 2048
/** The engine's timestamp of a line is slightly later than its delivery. */
const SLACK_MS = 50

interface Place {
  atMs: number
  last: Buffer
  /** Output of a new attachment, buffered while the engine's log is read; null at other times. */
  held: Buffer[] | null
}

/**
 * Tracks how much of each server's output was delivered, so that output from an engine outage is
 * recovered from the engine's log, once and in order.
 */
export class OutputPlaces {
  readonly #places = new Map<string, Place>()
  readonly #engine: Engine
  readonly #hand: (serverId: string, chunk: Uint8Array) => void

  constructor(engine: Engine, hand: (serverId: string, chunk: Uint8Array) => void) {
    this.#engine = engine
    this.#hand = hand
  }

  /** Starts tracking a new run. */
  begin(serverId: string): void {
    this.#places.set(serverId, { atMs: Date.now(), last: Buffer.alloc(0), held: null })
  }

  /** Handles output from an attachment. */
  heard(serverId: string, chunk: Buffer): void {
    const place = this.#place(serverId)
    if (place.held) {
      place.held.push(Buffer.from(chunk))
      return
    }
    this.#tell(serverId, place, chunk)
  }

  /**
   * Attaches, and delivers the output since the last chunk before anything newer.
   * @param attach returns the container if it is running and was attached, else null
   */
  async catchUp(
    serverId: string,
    attach: () => Promise<{ containerId: string; tty: boolean } | null>,
  ): Promise<void> {
    const place = this.#place(serverId)
    const held: Buffer[] = []
    place.held = held
    let missed: Buffer = Buffer.alloc(0)
    try {
      const attached = await attach()
      if (attached) missed = await this.#kept(attached, place.atMs - SLACK_MS)
    } finally {
      place.held = null
      const newer = Buffer.concat(held)
      const from = overlap(place.last, missed)
      const until = missed.length - overlap(missed.subarray(from), newer)
      for (const piece of [missed.subarray(from, until), newer])
        if (piece.length > 0) this.#tell(serverId, place, piece)
    }
  }

  forget(serverId: string): void {
    this.#places.delete(serverId)
  }

  #place(serverId: string): Place {
    const known = this.#places.get(serverId)
    if (known) return known
    const place: Place = { atMs: Date.now(), last: Buffer.alloc(0), held: null }
    this.#places.set(serverId, place)
    return place
  }

  #tell(serverId: string, place: Place, chunk: Buffer): void {
    place.atMs = Date.now()
    place.last = Buffer.concat([place.last, chunk.subarray(-REMEMBERED_BYTES)]).subarray(
      -REMEMBERED_BYTES,
    )
    this.#hand(serverId, chunk)
  }

  async #kept({ containerId, tty }: { containerId: string; tty: boolean }, sinceMs: number) {
    const bytes = await this.#engine
      .find((abortSignal) =>
        this.#engine.docker.getContainer(containerId).logs({
          stdout: true,
          stderr: true,
          since: (sinceMs / 1000).toFixed(3),
          follow: false,
          abortSignal,
        }),
      )
      .catch(() => null)
    if (!bytes) return Buffer.alloc(0)
    return unframed(tty, Buffer.isBuffer(bytes) ? bytes : Buffer.from(String(bytes)))
  }
}

/** Length of the longest suffix of `first` that is a prefix of `second`. */
export function overlap(first: Buffer, second: Buffer): number {
  const most = Math.min(first.length, second.length, 4 * REMEMBERED_BYTES)
  for (let length = most; length > 0; length -= 1) {
    if (first.subarray(-length).equals(second.subarray(0, length))) return length
  }
  return 0
}
