/** Lets at most `places` pieces of work run at once; the others wait in order. */
export class Semaphore {
  readonly #places: number
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor(places: number) {
    this.#places = places
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Waits for a place.
   * @returns gives the place back; calling it again does nothing
   * @throws the reason of the signal, when it aborts first
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#taken >= this.#places) {
      await new Promise<void>((resolve, reject) => {
        const admit = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const leave = () => {
          this.#waiting.delete(admit)
          reject(signal.reason)
        }
        this.#waiting.add(admit)
        signal.addEventListener('abort', leave, { once: true })
      })
    } else this.#taken += 1
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave()
    }
  }

  /** The place goes straight to the next one who waits, so nobody can slip in between. */
  #leave(): void {
    for (const admit of this.#waiting) {
      this.#waiting.delete(admit)
      admit()
      return
    }
    this.#taken -= 1
  }
}
