type Reader = (chunk: Uint8Array) => void

/** Who reads the output of which server. The bytes come from the driver, each to every reader. */
export class Broadcaster {
  readonly #readers = new Map<string, Set<Reader>>()

  /** Hands over what a server printed; a reader that fails is that reader's own matter. */
  hand(serverId: string, chunk: Uint8Array): void {
    for (const reader of this.#readers.get(serverId) ?? []) {
      try {
        reader(chunk)
      } catch {
        // The others get it all the same.
      }
    }
  }

  /**
   * Reads until the signal, as `Console.follow` promises: nothing is handed over once it came, not
   * even in the same turn.
   *
   * @param begin called when the reader has its place, to open what the output comes by
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
