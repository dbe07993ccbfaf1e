/** Measures how fast a number grows. */
export class Speed {
  readonly #windowMs: number
  #moments: { readonly at: number; readonly bytes: number }[] = []

  constructor(windowMs = 8_000) {
    this.#windowMs = windowMs
  }

  add(bytes: number, at: number): void {
    // Fewer bytes mean that another upload began or one was removed.
    if (bytes < (this.#moments.at(-1)?.bytes ?? 0)) this.#moments = []
    this.#moments.push({ at, bytes })
    this.#moments = this.#moments.filter((moment) => at - moment.at <= this.#windowMs)
  }

  /** Bytes per second; undefined until it is known. */
  get bytesPerSecond(): number | undefined {
    const [first] = this.#moments
    const last = this.#moments.at(-1)
    if (!first || !last || last.at - first.at < 500) return undefined
    return ((last.bytes - first.bytes) * 1_000) / (last.at - first.at)
  }
}
