type Reader = (chunk: Uint8Array) => void

/** Distributes each server's output to all of its readers. */
export class Broadcaster {
  readonly #readers = new Map<string, Set<Reader>>()

  /** Delivers a server's output to its readers; an error in one reader affects no other. */
  hand(serverId: string, chunk: Uint8Array): void {
    for (const reader of this.#readers.get(serverId) ?? []) {
      try {
        reader(chunk)
      } catch {
        // The other readers still receive it.
      }
    }
  }

  /**
   * Subscribes until the signal aborts, as `Console.follow` promises: nothing is delivered after
   * that, not even in the same turn.
   * @param begin called once the reader is subscribed, to open the source of the output
   */
  async follow(
    serverId: string,
    reader: Reader,
    signal: AbortSignal,
    begin: () => void = () => {},
  ): Promise<void> {
    if (signal.aborted) return
    const own = this.#readers.get(serverId) ?? new Set()
    this.#readers.set(serverId, own)
    own.add(reader)
    const leave = () => {
      own.delete(reader)
      if (own.size === 0 && this.#readers.get(serverId) === own) this.#readers.delete(serverId)
    }
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(leave()), { once: true })
      begin()
    })
  }
}
