/**
 * The newest bytes of an output, numbered from the first one that was ever put in. Old ones fall out
 * at the front; nobody who reads can hold it up.
 */
export class Ring {
  readonly #capacity: number
  #chunks: Uint8Array[] = []
  #start = 0
  #end = 0

  constructor(capacityBytes: number) {
    this.#capacity = capacityBytes
  }

  /** Number of the oldest byte that is still here. */
  get start(): number {
    return this.#start
  }

  /** Number that the next byte will have. */
  get end(): number {
    return this.#end
  }

  push(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return
    const kept = chunk.byteLength > this.#capacity ? chunk.subarray(-this.#capacity) : chunk
    const last = this.#chunks.at(-1)
    // Many tiny pieces would cost more than what they hold.
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
   * Bytes from a position on, at most `limit` of them.
   * @returns `from` is later than asked for when the older bytes have fallen out
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
