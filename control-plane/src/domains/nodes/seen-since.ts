/** With more time than this between two looks, nothing is known about the time between. */
const GAP_MS = 10_000

/** Measures, by its own clock, how long one instance has seen something without a gap. */
export class SeenSince {
  readonly #since = new Map<string, number>()
  #lookedAtMs = Number.NEGATIVE_INFINITY

  /** The rows among those seen now that have been there for at least this long. */
  seenFor<T extends { readonly jobId: string }>(
    rows: readonly T[],
    nowMs: number,
    forMs: number,
  ): T[] {
    const present = new Set(rows.map(({ jobId }) => jobId))
    for (const jobId of this.#since.keys())
      if (!present.has(jobId) || nowMs - this.#lookedAtMs > GAP_MS) this.#since.delete(jobId)
    this.#lookedAtMs = nowMs
    return rows.filter(({ jobId }) => {
      const since = this.#since.get(jobId) ?? nowMs
      this.#since.set(jobId, since)
      return nowMs - since >= forMs
    })
  }
}
