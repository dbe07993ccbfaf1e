interface Sized {
  readonly bytes: number
}

/** Keeps the largest of many; the rest are only counted. */
export class Largest<T extends Sized> {
  readonly #most: number
  #kept: T[] = []
  readonly others = { count: 0, bytes: 0 }

  constructor(most: number) {
    this.#most = most
  }

  add(one: T): void {
    this.#kept.push(one)
    if (this.#kept.length >= 2 * this.#most) this.#cut()
  }

  /** The largest first. */
  list(): T[] {
    this.#cut()
    return this.#kept
  }

  #cut(): void {
    this.#kept.sort((one, other) => other.bytes - one.bytes)
    for (const { bytes } of this.#kept.splice(this.#most)) {
      this.others.count += 1
      this.others.bytes += bytes
    }
  }
}
