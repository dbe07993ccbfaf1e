/**
 * The newest bytes of an output, numbered from the first byte ever written. The oldest bytes are
 * dropped; a slow reader never blocks the writer.
 */
export class Ring {
  readonly #capacity: number
  #chunks: Uint8Array[] = []
  #start = 0
  #end = 0

  constructor(capacityBytes: number) {
    this.#capacity = capacityBytes
  }

  /** Offset of the oldest byte still held. */
  get start(): number {
    return this.#start
  }

  /** Offset of the next byte. */
  get end(): number {
    return this.#end
  }

  push(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return
    const kept = chunk.byteLength > this.#capacity ? chunk.subarray(-this.#capacity) : chunk
    const last = this.#chunks.at(-1)
    // Coalesce small chunks: many tiny ones would cost more than the bytes they hold.
    if (last && last.byteLength + kept.byteLength <= 4096) {
      this.#chunks[this.#chunks.length - 1] = Buffer.concat([last, kept])
    } else this.#chunks.push(Buffer.from(kept))
    this.#end += chunk.byteLength
    this.#start += chunk.byteLength - kept.byteLength
    while (this.#end - this.#start > this.#capacity) {
      const first = this.#chunks.shift()
      if (!first) break
      this.#start += first.byteLength
    }
  }

  /**
   * Reads at most `limit` bytes from an offset.
   * @returns `from` is later than requested when the older bytes have been dropped
   */
  read(from: number, limit: number): { from: number; bytes: Uint8Array } {
    const begin = Math.min(Math.max(from, this.#start), this.#end)
    const parts: Uint8Array[] = []
    let position = this.#start
    let room = limit
    for (const chunk of this.#chunks) {
      const next = position + chunk.byteLength
      if (next > begin && room > 0) {
        const part = chunk.subarray(Math.max(0, begin - position)).subarray(0, room)
        parts.push(part)
        room -= part.byteLength
      }
      position = next
    }
    return { from: begin, bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts) }
  }

  clear(): void {
    this.#chunks = []
    this.#start = this.#end
  }
}
