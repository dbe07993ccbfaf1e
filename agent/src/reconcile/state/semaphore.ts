/** Runs at most `places` pieces of work at once; the others queue in order. */
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
   * @returns releases the place; calling it again does nothing
   * @throws the signal's reason, when it aborts first
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

  /** Hands the place directly to the next in line, so that no newcomer can overtake it. */
  #leave(): void {
    for (const admit of this.#waiting) {
      this.#waiting.delete(admit)
      admit()
      return
    }
    this.#taken -= 1
  }
}
