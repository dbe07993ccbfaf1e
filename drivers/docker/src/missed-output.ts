import type { Engine } from './client.ts'
import { unframed } from './frames.ts'

/** So much of what was handed over last is kept, to find the place again. */
const REMEMBERED_BYTES = 2048
/** The engine notes the time of a line down a moment after it has handed it over. */
const SLACK_MS = 50

interface Place {
  atMs: number
  last: Buffer
  /** What comes by a new attachment while the engine's log is read; null when nothing is. */
  held: Buffer[] | null
}

/**
 * Knows how far the output of each server was handed over, so that what a program said while the
 * engine was away is read from the engine's log, once and in its order.
 */
export class OutputPlaces {
  readonly #places = new Map<string, Place>()
  readonly #engine: Engine
  readonly #hand: (serverId: string, chunk: Uint8Array) => void

  constructor(engine: Engine, hand: (serverId: string, chunk: Uint8Array) => void) {
    this.#engine = engine
    this.#hand = hand
  }

  /** A run begins: nothing of it was handed over. */
  begin(serverId: string): void {
    this.#places.set(serverId, { atMs: Date.now(), last: Buffer.alloc(0), held: null })
  }

  /** An attachment said this. */
  heard(serverId: string, chunk: Buffer): void {
    const place = this.#place(serverId)
    if (place.held) {
      place.held.push(Buffer.from(chunk))
      return
    }
    this.#tell(serverId, place, chunk)
  }

  /**
   * Attaches, and hands over what was said since the last piece, before anything newer.
   * @param attach returns the container when it runs and was attached to, else null
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

/** How many bytes at the end of `first` are those that `second` begins with. */
export function overlap(first: Buffer, second: Buffer): number {
  const most = Math.min(first.length, second.length, 4 * REMEMBERED_BYTES)
  for (let length = most; length > 0; length -= 1) {
    if (first.subarray(-length).equals(second.subarray(0, length))) return length
  }
  return 0
}
